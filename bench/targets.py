#!/usr/bin/env python3
"""What links for sm_100 cost beside links for sm_90 of the same programs.

    bench/targets.py BUILD [--rounds N] [--culd FILE ...] [POINT ...]

Makes each program for both targets, links both in turns with each culd, and
prints the CPU time of both (first quartile), their ratio by the least, the
first quartile and the median of all rounds, page faults, and instructions as
callgrind counts them. The goal is a ratio of 1.5.

Objects of functions are clones (see clone.py), kernels without calls are compiled from
bench/leaf and tests/live/leaf_kernels by nvcc, and left out where there is none. --inputs
keeps what was made in a folder, for the next time.
"""
import argparse
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True

import clone                                   # noqa: E402
from measure import Failed, Launcher, instructions  # noqa: E402
from toolkit import find_tool                  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parent.parent
TARGETS = ("sm_90", "sm_100")
ROUNDS = 60


def clones(template, count):
    def write(folder, arch):
        source = clone.Templates(arch)[template]
        for i in range(count):
            (folder / f"{i:05}.cubin").write_bytes(
                source.clone(i, (i + 1) % count))
    return write


def compiled(*sources):
    def write(folder, arch):
        for path in sources:
            subprocess.run([find_tool("nvcc"), "-rdc=true", "-cubin",
                            f"-arch={arch}", str(path), "-o",
                            str(folder / f"{path.stem}.cubin")], check=True)
    return write


def leaf(name):
    return compiled(ROOT / "bench" / "leaf" / f"{name}.cu")


# What writes the inputs, and whether a compiler is needed.
POINTS = {
    "functions": (clones("functions", 400), False),
    "weak": (clones("weak", 200), True),
    "locals": (clones("dead-local", 100), True),
    "lines": (clones("functions-lines", 250), True),
    "debug": (clones("debug", 100), True),
    "sorts": (leaf("sorts"), True),
    "reductions": (leaf("reductions"), True),
    "tiles": (leaf("tiles"), True),
    "kernels": (compiled(*sorted(
        (ROOT / "tests/live/leaf_kernels").glob("*.cu"))), True),
}


class Program:
    """One program, made for both targets."""

    def __init__(self, name, folder):
        self.folders = {arch: folder / name / arch for arch in TARGETS}
        for arch, place in self.folders.items():
            if not place.exists():
                place.mkdir(parents=True)
                POINTS[name][0](place, arch)

    def command(self, culd, arch):
        names = sorted(path.name for path in self.folders[arch].glob("*.cubin"))
        return [culd, f"-arch={arch}", "-suppress-stack-size-warning", *names,
                "-o", "linked"]

    def rounds(self, launcher, culds, count):
        """{culd: {arch: usage of every round}}."""
        runs = {culd: {arch: [] for arch in TARGETS} for culd in culds}
        for _ in range(count):
            for culd in culds:
                for arch in TARGETS:
                    runs[culd][arch].append(launcher.run(
                        self.command(culd, arch), self.folders[arch]))
        return runs

    def instructions(self, culd, arch):
        return instructions(self.command(culd, arch), self.folders[arch])


def quartile(values):
    return statistics.quantiles(values, n=4)[0]


def row(name, program, culd, runs, counts):
    seconds = [[run.seconds for run in runs[arch]] for arch in TARGETS]
    cells = [name, " by ".join(f"{quartile(one) * 1e3:.2f}"
                               for one in reversed(seconds))]
    cells += [f"{middle(seconds[1]) / middle(seconds[0]):.2f}"
              for middle in (min, quartile, statistics.median)]
    cells.append(" by ".join(str(min(run.faults for run in runs[arch]))
                             for arch in reversed(TARGETS)))
    if counts:
        counted = [program.instructions(culd, arch) for arch in TARGETS]
        cells += [f"{counted[1] / counted[0]:.2f}",
                  f"{counted[1] / 1e6:.1f} by {counted[0] / 1e6:.1f}"]
    return cells


HEADINGS = ["program", "CPU ms", "least", "quartile", "median", "page faults"]
COUNT_HEADINGS = ["instructions", "million"]


def parse_arguments():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", help="the build folder")
    parser.add_argument("--culd", action="append", help="another linker than "
                        "that of the build; may be given again")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--no-instructions", action="store_true")
    parser.add_argument("--inputs", metavar="FOLDER")
    parser.add_argument("points", nargs="*", metavar="POINT",
                        help=", ".join(POINTS))
    options = parser.parse_intermixed_args()
    unknown = set(options.points) - set(POINTS)
    if unknown:
        parser.error(f"no point {', '.join(sorted(unknown))}")
    options.rounds = max(options.rounds, 2)
    return options


def measure(options, folder):
    launcher = Launcher(os.path.abspath(f"{options.build}/bench/launch"))
    culds = [os.path.abspath(culd) for culd in
             options.culd or [f"{options.build}/culd"]]
    counts = not options.no_instructions and shutil.which("valgrind")
    headings = HEADINGS + (COUNT_HEADINGS if counts else [])
    print("| " + " | ".join(headings) + " |\n" + "|---" * len(headings) + "|")
    for name, (_, needs_compiler) in POINTS.items():
        if options.points and name not in options.points:
            continue
        if needs_compiler and not find_tool("nvcc"):
            continue
        program = Program(name, folder)
        runs = program.rounds(launcher, culds, options.rounds)
        for culd in culds:
            print("| " + " | ".join(row(name, program, culd, runs[culd],
                                        counts)) + " |", flush=True)


def main():
    options = parse_arguments()
    subprocess.run(["cmake", "--build", options.build, "--target",
                    "bench_programs"], check=True, stdout=subprocess.DEVNULL)
    if options.inputs:
        measure(options, pathlib.Path(options.inputs).resolve())
        return 0
    with tempfile.TemporaryDirectory(prefix="culd-targets-") as folder:
        measure(options, pathlib.Path(folder))
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Failed as failure:
        print(failure)
        sys.exit(2)
