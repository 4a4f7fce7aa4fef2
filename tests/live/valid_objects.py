#!/usr/bin/env python3
"""Links objects that ptxas wrote, each alone, and names those that culd refuses though nvlink links them.

    valid_objects.py [--seconds N | --count N] [--seed N] [--targets LIST] [--texts FOLDER ...] [--share PERCENT]
                     [--keep FOLDER] [--culd PATH] [-j N]

The checks at the door hold a file against what CUDA's tools write; this looks for valid files that they refuse. A PTX text
(of a random program, of a link case, of a random kernel, or one under --texts) is compiled for a target and with options
of ptxas that are drawn at random, and linked, half of them with -r and once more. Unit number i depends on seed + i
alone. Of SHARE percent of the others the bytes are compared with nvlink's, too.
"""
import argparse
import collections
import concurrent.futures
import os
import random
import re
import shutil
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]

import leaf_instructions                                 # noqa: E402
import leaf_ptx                                          # noqa: E402
import random_arithmetic                                 # noqa: E402
import random_memory                                     # noqa: E402
from link_comparison import Comparison, Result, run  # noqa: E402
from links import DEFAULT_CULD                           # noqa: E402
from program_profiles import PROFILES                    # noqa: E402
from ptx_text import render_file                         # noqa: E402
from random_programs import make_program                 # noqa: E402

TARGETS = ["sm_75", "sm_80", "sm_86", "sm_87", "sm_88", "sm_89", "sm_90", "sm_90a"] + [
    "sm_" + number + suffix for number in ("100", "103", "110", "120", "121") for suffix in ("", "a", "f")]
REASON = re.compile(r"(?m)^.*(fatal|error) .*$|\A.*")
TARGET_LINE = re.compile(r"(?m)^(\s*\.target\s+)sm_\w+")
# ptxas compiles functions with that in their names by settings of their own.
KERNEL = re.compile(r"\bkernel(?=\w*\()|\bk(?=[0-9]*\()")
SHARE_WITH_SETTINGS = 0.15
CACHES = ["ca", "cg", "cs", "lu", "cv"]

# Options of ptxas and how often each is given; of a list of values, one is drawn.
OPTIONS = [
    (0.40, "-O", ["0", "1", "2", "3"]),
    (0.20, "-lineinfo", None),
    (0.12, "-g", None),
    (0.08, "-ewp", None),
    (0.10, "-maxrregcount=", ["16", "24", "32", "64", "128", "255", "archmax", "archmin"]),
    (0.06, "-func-maxrregcount=", ["24", "40", "archmax", "archmin"]),
    (0.08, "-regUsageLevel=", ["0", "3", "7", "10"]),
    (0.08, "-Ofc=", ["0", "min", "mid", "max"]),
    (0.06, "-dlcm=", CACHES), (0.04, "-flcm=", CACHES),
    (0.04, "-dscm=", ["wb", "cg", "cs", "wt"]), (0.04, "-fscm=", ["wb", "cg", "cs", "wt"]),
    (0.06, "-fmad=", ["true", "false"]),
    (0.06, "-allow-expensive-optimizations=", ["true", "false"]),
    (0.05, "-disable-optimizer-consts", None),
    (0.05, "-preserve-relocs", None),
    (0.04, "-ret-end", None), (0.04, "-no-bb-merge", None), (0.04, "-opt-fp-atomics", None),
    (0.04, "-sp-bounds-check", None), (0.03, "-make-errors-visible-at-exit", None),
    (0.03, "-legacy-bar-warp-wide-behavior", None), (0.04, "-device-stack-protector=", ["true", "false"]),
    (0.03, "-pic=", ["true", "false"]), (0.03, "-annotate", None), (0.03, "-astoolspatch", None),
    (0.03, "-g-tmem-access-check", None), (0.03, "-sanitize=", ["memcheck", "threadsteer"]),
    (0.04, "-suppress-debug-info", None), (0.05, "-override-directive-values", None),
    (0.05, "-maxntid=", ["32", "128", "256,2", "8,8,4"]), (0.05, "-minnctapersm=", ["1", "2", "4"]),
    (0.03, "-split-compile=", ["0", "2"]),
]
# What the comparison of two links says, in the words used here.
OUTCOMES = {"identical": "linked", "refused": "both", "alone": "both"}
COUNTED = ("linked", "rejected", "both", "refused", "different", "failed")


def random_options(chance):
    words = [name + chance.choice(values) if values else name
             for share, name, values in OPTIONS if chance.random() < share]
    chance.shuffle(words)
    return words


class Texts:
    """Where the PTX comes from."""

    def __init__(self, folders):
        roots = [HERE.parent / "links"] + [Path(folder) for folder in folders]
        self.files = [sorted(root.rglob("*.ptx")) for root in roots]
        self.statements = list(leaf_instructions.statements())
        self.kinds = [self.of_program, self.of_program, self.of_instruction, self.of_kernel, self.of_arithmetic,
                      self.of_memory]
        self.kinds += [self.of_file] * 2 * len(self.files)

    def of_program(self, chance, target):
        program = make_program(chance.getrandbits(40), target, chance.choice(sorted(PROFILES)))
        return render_file(program, chance.choice(program.files)) if program.files else ""

    def of_instruction(self, chance, target):
        chosen = chance.sample(self.statements, 3)
        kernels = [leaf_instructions.kernel("kernel_%d" % number, text) for number, text in enumerate(chosen)]
        return leaf_ptx.header(target) + "\n".join(kernels)

    def of_kernel(self, chance, target):
        return leaf_ptx.header(target) + leaf_ptx.random_kernel("kernel", chance.getrandbits(40), target)

    def of_arithmetic(self, chance, target):
        return leaf_ptx.header(target) + random_arithmetic.kernels(chance)

    def of_memory(self, chance, target):
        return leaf_ptx.header(target) + random_memory.kernels(chance, target)

    def of_file(self, chance, target):
        text = chance.choice(chance.choice(self.files)).read_text(errors="replace")
        return TARGET_LINE.sub(r"\g<1>" + target, text) if chance.random() < 0.5 else text

    def draw(self, chance, target):
        text = chance.choice(self.kinds)(chance, target)
        return KERNEL.sub("cutlass_kernel", text) if chance.random() < SHARE_WITH_SETTINGS else text


class Campaign:
    def __init__(self, arguments):
        self.arguments = arguments
        self.texts = Texts(arguments.texts)
        self.comparison = Comparison([arguments.nvlink], [os.path.abspath(arguments.culd)], bytes_only=True,
                                     second_options=["--identify-as=nvlink"])
        self.tally = collections.Counter()
        self.until = time.monotonic() + arguments.seconds

    def both(self, words, folder, is_compared):
        """How the link went, and what is to be said of it."""
        second = self.comparison.link(self.comparison.second, self.comparison.second_options, words, folder)
        if second.status == 0 and not is_compared:
            return "linked", ""
        first = self.comparison.link(self.comparison.first, [], words, folder)
        result = Result(outcome="identical")
        self.comparison.judge(result, first, second)
        if result.outcome == "different":
            is_refusal = first.status == 0 and second.status != 0
            said = REASON.search(second.messages).group() if is_refusal else result.detail
            return "refused" if is_refusal else "different", "%s: %s" % (" ".join(words), said)
        return OUTCOMES.get(result.outcome, result.outcome), ""

    def link(self, chance, target, folder, further=()):
        """Links the folder's object; half of them in two steps, the first of which need not be like nvlink's."""
        is_compared = chance.random() * 100 < self.arguments.share
        name, options = "one.cubin", ["-arch=" + target, *further]
        if chance.random() < 0.5:
            outcome, said = self.both(options + ["-r", name, "-o", "joined.cubin"], folder, False)
            if outcome != "linked":
                return outcome, said
            name, is_compared = "joined.cubin", False
        return self.both(options + [name, "-o", "linked.cubin"], folder, is_compared)

    def compile_and_link(self, number, folder):
        chance = random.Random(number)
        target = chance.choice(self.arguments.targets)
        with open(os.path.join(folder, "one.ptx"), "w") as file:
            file.write(self.texts.draw(chance, target))
        options = random_options(chance)
        is_whole = "-ewp" in options                     # which -c would overrule
        command = ["ptxas", "-arch=" + target] + ["-c"] * (not is_whole) + options + ["one.ptx", "-o", "one.cubin"]
        if run(command, folder).status != 0:
            return "rejected", ""
        further = ["-g"] if is_whole and "-g" in options else []        # as nvcc passes it on
        outcome, said = self.link(chance, target, folder, further)
        return outcome, "%s: %s" % (" ".join(command), said) if said else ""

    def try_one(self, number):
        if time.monotonic() > self.until:
            return number, None, ""
        with tempfile.TemporaryDirectory(prefix="valid-objects-") as folder:
            outcome, said = self.compile_and_link(number, folder)
            if said and self.arguments.keep:
                shutil.copytree(folder, os.path.join(self.arguments.keep, str(number)), dirs_exist_ok=True)
        return number, outcome, said

    def run(self):
        numbers = range(self.arguments.seed, self.arguments.seed + self.arguments.count)
        with concurrent.futures.ThreadPoolExecutor(max_workers=self.arguments.jobs) as pool:
            for number, outcome, said in pool.map(self.try_one, numbers):
                self.tally[outcome] += 1
                if said:
                    print("%d %s: %s" % (number, outcome, said), flush=True)
        print("%d linked, %d rejected by ptxas, %d refused by both, %d refused by culd alone, %d different, "
              "%d nvlink failed" % tuple(self.tally[outcome] for outcome in COUNTED))
        return 1 if self.tally["refused"] or self.tally["different"] else 0


def parse(words):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=float("inf"))
    parser.add_argument("--count", type=int, default=200000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--targets", default=TARGETS, type=lambda text: text.split(","))
    parser.add_argument("--texts", metavar="FOLDER", nargs="*", default=[], help="folders of further PTX texts")
    parser.add_argument("--share", type=float, default=10, help="percent of the links that are compared")
    parser.add_argument("--keep", metavar="FOLDER", help="leave what was refused or differs here")
    parser.add_argument("--culd", default=str(DEFAULT_CULD))
    parser.add_argument("--nvlink", default="nvlink")
    parser.add_argument("-j", "--jobs", type=int, default=2)
    return parser.parse_args(words)


if __name__ == "__main__":
    sys.exit(Campaign(parse(sys.argv[1:])).run())
