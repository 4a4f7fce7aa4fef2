#!/usr/bin/env python3
"""Links random programs with nvlink and with culd, and compares everything that can be seen.

    random_links.py --count 200 --seed 1 --arch sm_75,sm_80,sm_90 [--profile weak] [-j 2] [--keep DIR]

Program number i is made from seed + i alone, so `--seed N --count 1` repeats it. A difference is shrunk to a small
program and written to the --keep folder: sources, objects, commands.txt, and what both linkers wrote and said.
"""
import argparse
import collections
import concurrent.futures
import os
import shlex
import shutil
import sys

import random_cuda
from known_differences import can_show
from link_comparison import Comparison, Source, same_difference
from program_profiles import PROFILES
from program_shrinker import Shrinker
from ptx_text import render_file
from random_programs import make_program

HERE = os.path.dirname(os.path.abspath(__file__))
DEFAULT_CULD = os.path.normpath(os.path.join(HERE, "..", "..", "build", "culd"))
CUDA_PROFILES = ["cuda", "cuda-features"]
OUTCOMES = ["identical", "different", "failed", "rejected", "refused"]
WHO = {"failed": "nvlink", "alone": "culd"}


def ptx_sources(program, arch):
    return [Source(name=source.name + ".ptx", text=render_file(program, source),
                   command=["ptxas", "-c", "-arch=" + arch] + source.flags) for source in program.files]


def linker_command(text):
    """Its words; the links are made in other folders."""
    words = shlex.split(text)
    return [os.path.abspath(word) if os.path.exists(word) else word for word in words]


def put(folder, name, content):
    with open(os.path.join(folder, name), "wb") as file:
        file.write(content)


class Generator:
    """PTX programs, or CUDA C++ ones where the profile is `cuda` or `cuda-features`."""

    def __init__(self, profile, objects=None):
        self.profile = profile
        self.objects = objects
        self.is_cuda = profile in CUDA_PROFILES

    def make(self, seed, arch):
        if self.is_cuda:
            return random_cuda.make_program(seed, arch, self.profile == "cuda-features")
        program = make_program(seed, self.objects or arch, self.profile)
        program.arch = arch
        return program

    def can_show_known(self, program):
        return not self.is_cuda and can_show(program)

    def sources(self, program):
        if self.is_cuda:
            return random_cuda.sources(program)
        return ptx_sources(program, self.objects or program.arch)


class Session:
    def __init__(self, arguments):
        self.arguments = arguments
        self.generator = Generator(arguments.profile, arguments.objects)
        first, second = map(linker_command, arguments.ab or (arguments.nvlink, arguments.culd))
        extra = [] if arguments.ab else ["--identify-as=nvlink"]
        self.comparison = Comparison(first, second, bytes_only=arguments.bytes_only, second_options=extra,
                                     is_nvlink=not arguments.ab)
        self.tally = collections.Counter()
        self.groups = collections.Counter()

    def compare(self, program):
        if not program.files:
            return self.comparison.compare([], program.arch, program.options)
        partial = min(program.partial, len(program.files))
        return self.comparison.compare(self.generator.sources(program), program.arch, program.options, partial)

    def make(self, number):
        arch = self.arguments.arch[number % len(self.arguments.arch)]
        program = self.generator.make(number, arch)
        if self.arguments.plain:
            program.options, program.partial = [], 0
        return program

    def try_one(self, number):
        program = self.make(number)
        return number, program, self.compare(program)

    def shrink(self, program, result):
        def still_differs(candidate):
            if not candidate.files or self.generator.can_show_known(candidate):
                return False
            return same_difference(result, self.compare(candidate))
        return Shrinker(still_differs, self.arguments.shrink_tries).shrink(program)

    def write(self, folder, program, note):
        """Leaves the program, both results and the commands in a folder of its own."""
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(folder)
        partial = min(program.partial, len(program.files))
        result = self.comparison.compare(self.generator.sources(program), program.arch, program.options, partial, folder)
        for source in self.generator.sources(program):
            put(folder, source.name, source.text.encode())
        for step, (first, second) in enumerate(zip(result.first, result.second), 1):
            for name, linked in (("first", first), ("second", second)):
                put(folder, "%s-%d.txt" % (name, step), ("status %d\n%s" % (linked.status, linked.messages)).encode())
                if linked.output is not None:
                    put(folder, "%s-%d.cubin" % (name, step), linked.output)
        lines = [note, "%s: %s" % (result.kind, result.detail)]
        lines += [shlex.join(s.command + [s.name, "-o", s.object_name]) for s in self.generator.sources(program)]
        lines += ["LINKER " + shlex.join(command) for command in result.commands]
        put(folder, "commands.txt", ("\n".join(lines) + "\n").encode())
        put(folder, "program.txt", (repr(program) + "\n").encode())

    def report_difference(self, number, program, result):
        print("seed %d %s: %s: %s" % (number, program.arch, result.kind, result.detail), flush=True)
        self.groups["%s: %s" % (result.kind, result.detail)] += 1
        if not self.arguments.keep:
            return
        folder = os.path.join(self.arguments.keep, "%s-%d-%s" % (self.arguments.profile, number, program.arch))
        note = "%s --profile %s --arch %s --seed %d" % (
            os.path.basename(__file__), self.arguments.profile, program.arch, number)
        if not self.arguments.no_shrink and self.shrunk < self.arguments.shrink_count:
            self.shrunk += 1
            program = self.shrink(program, result)
        self.write(folder, program, note)
        print("  written to %s" % folder, flush=True)

    def run(self):
        self.shrunk = 0
        first, count = self.arguments.seed, self.arguments.count
        with concurrent.futures.ThreadPoolExecutor(max_workers=self.arguments.jobs) as pool:
            for done, (number, program, result) in enumerate(pool.map(self.try_one, range(first, first + count)), 1):
                self.tally[result.outcome] += 1
                if result.outcome == "different":
                    self.report_difference(number, program, result)
                if result.outcome in WHO:
                    self.groups["%s: %s" % (WHO[result.outcome], result.detail or "gives up")] += 1
                if result.outcome == "rejected" and self.arguments.show_rejected:
                    print("seed %d: %s" % (number, result.detail.strip()), flush=True)
                if done % 100 == 0:
                    print("%d of %d: %s" % (done, count, self.counts()), file=sys.stderr, flush=True)
        for text, times in self.groups.most_common():
            print("%5d x %s" % (times, text))
        print(self.summary())
        return 1 if self.tally["different"] else 0

    def counts(self):
        return ", ".join("%d %s" % (self.tally[outcome], outcome) for outcome in OUTCOMES)

    def summary(self):
        text = ("%d programs, %d identical, %d different, %d nvlink failed, %d rejected by ptxas, "
                "%d refused by both, %d refused by culd alone")
        return text % ((sum(self.tally.values()),) + tuple(self.tally[outcome] for outcome in OUTCOMES + ["alone"]))


def parse(words):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1, help="of the first program; the next one has seed + 1")
    parser.add_argument("--arch", default="sm_75,sm_80,sm_90", type=lambda text: text.split(","))
    parser.add_argument("--objects", metavar="ARCH",
                        help="compile PTX programs for this one, e.g. sm_100 where --arch is sm_103")
    parser.add_argument("--profile", default="mixed", choices=sorted(PROFILES) + CUDA_PROFILES)
    parser.add_argument("--culd", default=DEFAULT_CULD)
    parser.add_argument("--nvlink", default="nvlink")
    parser.add_argument("--ab", nargs=2, metavar=("A", "B"), help="compare these two linker commands instead")
    parser.add_argument("--bytes-only", action="store_true", help="compare output files of accepted programs only")
    parser.add_argument("--plain", action="store_true", help="no link options")
    parser.add_argument("-j", "--jobs", type=int, default=2)
    parser.add_argument("--keep", metavar="DIR", help="write programs that differ here")
    parser.add_argument("--no-shrink", action="store_true")
    parser.add_argument("--shrink-count", type=int, default=10, help="shrink this many programs at most")
    parser.add_argument("--shrink-tries", type=int, default=1200)
    parser.add_argument("--show-rejected", action="store_true", help="print what ptxas says")
    return parser.parse_args(words)


if __name__ == "__main__":
    sys.exit(Session(parse(sys.argv[1:])).run())
