#!/usr/bin/env python3
"""Links kernels without calls for sm_100 and later with nvlink and with culd, and counts what became of each.

    leaf_gallery.py [--kinds KINDS] [--targets LIST] [--modes LIST] [--random N] [--seed N] [--every N] [--share PERCENT]
                    [--keep FOLDER] [--culd PATH] [-j N] [-v]
    leaf_gallery.py --store FOLDER        makes the stored kernels of the unit tests anew

Three kinds of kernels: `sources` (leaf_kernels/*.cu: what people write), `instructions` (leaf_instructions.py: one
small kernel for each kind of instruction) and `random` (leaf_ptx.py). Each kernel's code is identical to nvlink's,
proven (culd's own choice, verified) or copied (as it came). Nothing but the code of the latter two may differ
between the files; and of all kernels, SHARE percent must be identical.
"""
import argparse
import collections
import hashlib
import os
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]

import leaf_instructions                                 # noqa: E402
import leaf_ptx                                          # noqa: E402
from leaf_store import STORED, store_unit                # noqa: E402
from leaf_text import leaf_kernels                       # noqa: E402
from links import DEFAULT_CULD                           # noqa: E402
from rebuild import Toolkit                              # noqa: E402
from section_difference import sections                  # noqa: E402

# How a file is compiled: options of nvcc and of ptxas.
MODES = {"O3": ([], []), "O1": (["-Xptxas", "-O1"], ["-O1"]), "O0": (["-Xptxas", "-O0"], ["-O0"]),
         "G": (["-G"], ["-g"]), "lineinfo": (["-lineinfo"], ["-lineinfo"])}
OUTCOMES = ("identical", "proven", "copied")
COPIED = re.compile(r"Kernel '(.*)' is copied as it came: (.*)")
LINES_SHOWN = 40

Unit = collections.namedtuple("Unit", "kind name target mode text")


class Linked:
    """What came of one unit."""

    def __init__(self, unit):
        self.unit = unit
        self.rejected = False
        self.kernels = {}        # name -> outcome
        self.reasons = {}        # of those that were copied
        self.problem = None


# --- units ------------------------------------------------------------------------------------------------------------
def source_units():
    for path in sorted((HERE / "leaf_kernels").glob("*.cu")):
        yield "sources", path.stem + ".cu", path.read_text()


def instruction_units(target):
    head = ".version 9.0\n.target %s\n.address_size 64\n" % target
    for number, statement in enumerate(leaf_instructions.statements()):
        name = "instruction_%d" % number
        yield "instructions", name + ".ptx", head + leaf_instructions.kernel(name, statement)


def random_units(target, first, count):
    for seed in range(first, first + count):
        name = "random_%d" % seed
        yield "random", name + ".ptx", leaf_ptx.header(target) + leaf_ptx.random_kernel(name, seed, target)


def all_units(options):
    for target in options.targets.split(","):
        for mode in options.modes.split(","):
            found = []
            if "sources" in options.kinds:
                found += source_units()
            if "instructions" in options.kinds:
                found += instruction_units(target)
            if "random" in options.kinds:
                found += random_units(target, options.seed, options.random)
            yield from (Unit(kind, name, target, mode, text) for kind, name, text in found)


# --- one unit ---------------------------------------------------------------------------------------------------------
class Bench:
    def __init__(self, tools, culd, kept=None):
        self.tools, self.culd, self.kept = tools, os.path.abspath(culd), kept

    def compile(self, unit, folder):
        """The object's name, or None where the compiler refuses the file. Objects may be kept from run to run."""
        (folder / unit.name).write_text(unit.text)
        for_nvcc, for_ptxas = MODES[unit.mode]
        command = [self.tools.ptxas, "-c"] + for_ptxas
        if unit.name.endswith(".cu"):
            command = [self.tools.nvcc, "-rdc=true", "-cubin", "-w"] + for_nvcc
        key = hashlib.sha1(("\n".join(command[1:] + [unit.target, unit.text])).encode()).hexdigest()
        kept = Path(self.kept, key + ".cubin") if self.kept else None
        if kept and kept.exists():
            (folder / "input.cubin").write_bytes(kept.read_bytes())
        elif self.run(command + ["-arch=" + unit.target, unit.name, "-o", "input.cubin"], folder).returncode:
            return None
        elif kept:
            kept.write_bytes((folder / "input.cubin").read_bytes())
        return "input.cubin"

    @staticmethod
    def run(command, folder):
        return subprocess.run(command, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True)

    def link(self, linker, unit, name, folder):
        """The output's bytes and the linker's words."""
        output = folder / "linked.cubin"
        if output.exists():
            output.unlink()
        done = self.run(linker + ["-arch=" + unit.target, name, "-o", output.name], folder)
        return (output.read_bytes() if done.returncode == 0 else None), done.stdout

    def compare(self, unit):
        linked = Linked(unit)
        with tempfile.TemporaryDirectory(prefix="culd-leaf-") as name:
            folder = Path(name)
            compiled = self.compile(unit, folder)
            theirs = self.link([self.tools.nvlink], unit, compiled, folder)[0] if compiled else None
            if theirs is None:
                linked.rejected = True
                return linked
            ours, words = self.link([self.culd, "--identify-as=nvlink"], unit, compiled, folder)
            if ours is None:
                linked.problem = "culd fails: " + words
                return linked
            said = self.link([self.culd, "-v"], unit, compiled, folder)[1]
        linked.reasons = dict(COPIED.findall(said))
        judge(linked, theirs, ours)
        return linked


def judge(linked, theirs, ours):
    """Sets the outcome of each kernel; a problem is what differs besides the code of those that may."""
    ours_by_name = leaf_kernels(ours)
    has_other_size = False
    for name, text in leaf_kernels(theirs).items():
        same = ours_by_name.get(name) == text
        linked.kernels[name] = "identical" if same else "copied" if name in linked.reasons else "proven"
        has_other_size |= len(ours_by_name.get(name, b"")) != len(text)
    if theirs == ours or has_other_size:
        return
    allowed = {".text." + name for name, outcome in linked.kernels.items() if outcome != "identical"}
    wrong = [mine[0] for mine, other in zip(sections(theirs), sections(ours)) if mine != other and mine[0] not in allowed]
    if wrong or len(ours) != len(theirs):
        linked.problem = "differs in " + (", ".join(wrong) or "its layout")
    elif not allowed:
        linked.problem = "differs in headers"


# --- report -----------------------------------------------------------------------------------------------------------
class Report:
    def __init__(self, verbose):
        self.verbose = verbose
        self.counts = collections.defaultdict(collections.Counter)    # (kind, target, mode) -> outcome -> how many
        self.reasons = collections.Counter()
        self.links = self.identical_links = self.rejected = self.problems = 0

    def add(self, linked):
        unit = linked.unit
        if linked.rejected:
            self.rejected += 1
            return
        self.links += 1
        self.problems += bool(linked.problem)
        self.identical_links += not linked.problem and set(linked.kernels.values()) <= {"identical"}
        counts = self.counts[unit.kind, unit.target, unit.mode]
        counts.update(linked.kernels.values())
        self.reasons.update(linked.reasons.values())
        if linked.problem and self.problems < LINES_SHOWN:
            print("not ok %s %s %s: %s" % (unit.name, unit.target, unit.mode, linked.problem))
        for name, outcome in linked.kernels.items():
            if self.verbose and outcome != "identical":
                print("%s %s %s: %s is %s %s" % (unit.name, unit.target, unit.mode, name, outcome,
                                               linked.reasons.get(name, "")))

    def finish(self, share):
        total = collections.Counter()
        print("%-14s %-8s %-9s %9s %7s %7s" % (("kind", "target", "mode") + OUTCOMES))
        for (kind, target, mode), counts in sorted(self.counts.items()):
            print("%-14s %-8s %-9s %9d %7d %7d" % ((kind, target, mode) + tuple(counts[o] for o in OUTCOMES)))
            total.update(counts)
        for reason, count in self.reasons.most_common():
            print("copied because of %s: %d" % (reason, count))
        kernels = sum(total.values())
        percent = 100.0 * total["identical"] / kernels if kernels else 100.0
        print("%d leaf kernels: %d identical (%.1f %%), %d proven but different, %d copied" % (
            kernels, total["identical"], percent, total["proven"], total["copied"]))
        print("%d links, %d identical; %d files rejected by the compiler" % (
            self.links, self.identical_links, self.rejected))
        is_short = percent < share
        if is_short:
            print("not ok: less than %g %% of the kernels are identical" % share)
        print("%d passed, %d failed, %d skipped" % (self.links - self.problems, self.problems + is_short, self.rejected))
        return 1 if self.problems or is_short else 0


def store(bench, folder):
    """The kernels that tests/unit/test_leaf.c reads."""
    for target, mode in (("sm_100", "O3"), ("sm_120", "O3"), ("sm_100", "O0")):
        for kind, name, text in source_units():
            if name in STORED and ((target, mode) == ("sm_100", "O3") or name == "atomics.cu"):
                with tempfile.TemporaryDirectory(prefix="culd-leaf-") as work:
                    store_unit(bench, Unit(kind, name, target, mode, text), STORED[name], folder, Path(work))
    return 0


def parse_options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--culd", default=DEFAULT_CULD)
    parser.add_argument("--kinds", default="sources,instructions,random")
    parser.add_argument("--targets", default="sm_100", metavar="LIST")
    parser.add_argument("--modes", default="O3", metavar="LIST")
    parser.add_argument("--random", type=int, default=100, metavar="N")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="of the first random kernel")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="only every Nth file")
    parser.add_argument("--share", type=float, default=90, metavar="PERCENT")
    parser.add_argument("--keep", metavar="FOLDER", help="compiled files are kept here for the next run")
    parser.add_argument("--store", metavar="FOLDER")
    parser.add_argument("-j", type=int, default=os.cpu_count() or 1)
    parser.add_argument("-v", action="store_true", help="name the kernels that are not identical")
    return parser.parse_args()


def main():
    options, tools = parse_options(), Toolkit()
    if not tools.ptxas or not tools.nvlink or ("sources" in options.kinds and not tools.nvcc):
        print("0 passed, 0 failed, 1 skipped")
        return 0
    if options.keep:
        Path(options.keep).mkdir(parents=True, exist_ok=True)
    bench = Bench(tools, options.culd, options.keep)
    if options.store:
        return store(bench, Path(options.store))
    report = Report(options.v)
    units = list(all_units(options))[::options.every]
    with ThreadPoolExecutor(options.j) as pool:
        for linked in pool.map(bench.compare, units):
            report.add(linked)
    return report.finish(options.share)


if __name__ == "__main__":
    sys.exit(main())
