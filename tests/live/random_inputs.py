#!/usr/bin/env python3
"""Random programs, packed at random into all kinds of input files with random host references, linked by both.

    random_inputs.py --count 200 --seed 1 --arch sm_75,sm_80,sm_90 [--profile mixed] [-j 2] [--keep DIR]

Program number i is made from seed + i alone. Everything the linkers leave behind is compared: the cubin, messages, exit
status and the registration file. --keep writes the inputs and the command line of what differs.
"""
import argparse
import collections
import os
import random
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]

from input_bench import Bench, Case, compare                            # noqa: E402
from inputs import keep                                                 # noqa: E402
from known_differences import avoid                                     # noqa: E402
from link_comparison import CONSTANT_SIZE, INTERNAL_ERROR, Compiler     # noqa: E402
from program_profiles import PROFILES                                   # noqa: E402
from random_links import DEFAULT_CULD, OUTCOMES, ptx_sources            # noqa: E402
from random_packing import Packer, Part                                 # noqa: E402
from random_programs import make_program                                # noqa: E402
from rebuild import Toolkit                                             # noqa: E402

OPTIONS = ["-v", "--dump-callgraph", "-keep-system-libraries", "-suppress-arch-warning", "-report-arch", "-cpu-arch=X86_64",
           "-verbose-tkinfo=true", "-suppress-stack-size-warning", "-use-host-info"]


class Rejected(Exception):
    """ptxas does not take the program."""


class Maker:
    """Programs, as cases."""

    def __init__(self, profile):
        self.profile, self.compiler = profile, Compiler()

    def object_for(self, source, folder):
        def compile(part, arch):
            own = source[part.name]
            command = [word if not word.startswith("-arch=") else "-arch=" + arch for word in own.command]
            content, words = self.compiler.compile(type(own)(arch + own.name, own.text, command), folder)
            if content is None:
                raise Rejected(words)
            return content
        return compile

    def make(self, seed, arch):
        """A case; host references name some of the kernels in most of them."""
        source = random.Random("inputs %d" % seed)
        program = make_program(seed, arch, self.profile)
        program.options, program.partial = [], 0
        named, has_references = self.choose_kernels(program, source)
        texts = {own.name[:-len(".ptx")]: own for own in ptx_sources(program, program.arch)}
        parts = [Part(file.name, texts[file.name].text, file.flags, *named[file.name]) for file in program.files]
        with tempfile.TemporaryDirectory(prefix="culd-inputs-") as folder:
            packed = Packer(source, arch, self.object_for(texts, folder)).pack(parts, has_references)
        options = [option for option in OPTIONS if source.random() < 0.12]
        if source.random() < 0.5:
            options.append("--register-link-binaries=r.c")
        if "-use-host-info" not in options and source.random() < 0.1:
            options.append("-ignore-host-info")
        return Case("seed-%d-%s" % (seed, arch), packed.files, options + packed.words, arch)

    @staticmethod
    def choose_kernels(program, source):
        """{file: (external names, whether patterns may be used, local names)}: what host code of that file uses."""
        has_references = source.random() < 0.6
        kernels = [f for file in program.files for f in file.functions if f.entry]
        used = [f for f in kernels if source.random() < 0.6]
        if has_references and used:
            program.options = ["--kernels-used=" + ",".join(sorted({f.name for f in used}))]
        avoid(program)
        has_references = has_references and bool(program.options or not used)
        program.options = []
        named = {file.name: ([], True, []) for file in program.files}
        for function in used if has_references else ():
            place = named[source.choice(sorted(named))]
            place[2 if function.linkage == "local" else 0].append(function.name)
        return named, has_references


class Session:
    def __init__(self, arguments, tools, folder):
        self.arguments, self.tools, self.folder = arguments, tools, folder
        self.maker = Maker(arguments.profile)
        self.tally = collections.Counter()

    def try_one(self, number):
        arch = self.arguments.arch[number % len(self.arguments.arch)]
        try:
            case = self.maker.make(number, arch)
        except Rejected as error:
            return number, None, "rejected", [str(error)]
        bench = Bench(Path(self.folder, "case%d" % number), self.tools.nvlink, Path(self.arguments.culd).resolve())
        expected, actual = bench.run(bench.nvlink, case), bench.run(bench.culd, case)
        for left in (expected, actual):
            left.stderr = CONSTANT_SIZE.sub(r"\1SIZE", left.stderr)
        return (number, case) + judge(expected, actual)

    def run(self):
        first, count = self.arguments.seed, self.arguments.count
        with ThreadPoolExecutor(self.arguments.jobs) as pool:
            for number, case, outcome, lines in pool.map(self.try_one, range(first, first + count)):
                self.tally[outcome] += 1
                if outcome == "different":
                    print("\n    ".join(["%s: %s" % (case.name, " ".join(case.arguments))] + lines[:8]), flush=True)
                    if self.arguments.keep:
                        keep(self.arguments.keep, case.name, case)
        print("%d programs, %d identical, %d different, %d nvlink failed, %d rejected by ptxas, %d refused by both"
              % ((count,) + tuple(self.tally[outcome] for outcome in OUTCOMES)))
        return 1 if self.tally["different"] else 0


def judge(expected, actual):
    if actual.broke_down():
        return "different", ["culd: %s" % actual.exit]
    if expected.broke_down() or (INTERNAL_ERROR in expected.stderr and INTERNAL_ERROR not in actual.stderr):
        return "failed", []
    lines = compare(expected, actual)
    return ("different" if lines else "identical" if expected.exit == 0 else "refused"), lines


def parse(words):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1, help="of the first program; the next one has seed + 1")
    parser.add_argument("--arch", default="sm_75,sm_80,sm_86,sm_89,sm_90,sm_90a", type=lambda text: text.split(","))
    parser.add_argument("--profile", default="mixed", choices=sorted(PROFILES))
    parser.add_argument("--culd", default=os.environ.get("CULD", DEFAULT_CULD))
    parser.add_argument("-j", "--jobs", type=int, default=2)
    parser.add_argument("--keep", metavar="DIR", help="write what differs here")
    return parser.parse_args(words)


def main():
    arguments, tools = parse(sys.argv[1:]), Toolkit()
    if not tools.nvlink or not tools.ptxas:
        print("no CUDA toolkit\n0 programs, 0 identical, 0 different, 0 nvlink failed, 0 rejected by ptxas, 0 refused by both")
        return 0
    with tempfile.TemporaryDirectory(prefix="culd-inputs-") as folder:
        return Session(arguments, tools, folder).run()


if __name__ == "__main__":
    sys.exit(main())
