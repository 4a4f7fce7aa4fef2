#!/usr/bin/env python3
"""How the cost of a link grows with its inputs.

    bench/growth.py [--culd FILE] [--quick] [--json] [POINT ...]

Links n and 4n generated objects under valgrind's callgrind and prints the
instructions of both and their ratio: 4 is linear, 16 quadratic. Instruction
counts hardly depend on the machine and not at all on its load. Ends with
status 1 when a ratio is 5 or more. Times are the matter of bench/run.

The objects are clones of stored ones (see clone.py), so CUDA is not needed;
--compile makes the stored ones anew, --arch uses other ones, both with ptxas
and nvcc.
"""
import argparse
import json
import os
import pathlib
import shutil
import sys
import tempfile
import time

sys.dont_write_bytecode = True

import clone      # noqa: E402
import measure    # noqa: E402
from points import POINTS  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parent.parent
LIMIT = 5           # the ratio that is too much
FACTOR = 4
# A fifth of the work: enough to see a gross mistake, in well under a minute.
QUICK_POINTS = ("objects", "weak", "pointers", "statics", "shared-library",
                "relocatable", "diamond")
QUICK_DIVISOR = 5


class Bench:
    def __init__(self, culd, arch, folder):
        self.culd, self.arch = culd, arch
        self.folder = pathlib.Path(folder)
        self.templates = clone.Templates(arch)

    def write_inputs(self, point, n):
        """Inputs of one link, in a folder of their own; (folder, names)."""
        folder = self.folder / f"{point.name}-{n}"
        folder.mkdir()
        names = []
        for i, (template, own, following) in enumerate(point.objects(n)):
            names.append(f"{i:05}.cubin")
            (folder / names[-1]).write_bytes(
                self.templates[template].clone(own, following))
        return folder, names

    def count(self, point, n):
        folder, names = self.write_inputs(point, n)
        command = [self.culd, f"-arch={self.arch}", *point.options,
                   "-suppress-stack-size-warning", *names, "-o", "out.cubin"]
        counted = measure.instructions(command, folder)
        shutil.rmtree(folder)
        return {"n": n, "instructions": counted}


def measure_point(bench, point, quick):
    n = point.n
    if quick and len(point.objects(n)) > 1:
        n //= QUICK_DIVISOR
    result = {"name": point.name, "what": point.what,
              "options": point.options, "n": bench.count(point, n),
              "4n": bench.count(point, FACTOR * n)}
    result["ratio"] = (result["4n"]["instructions"]
                       / result["n"]["instructions"])
    return result


def table_row(result):
    small, large = result["n"], result["4n"]
    return [result["name"], result["what"], f"{small['n']}",
            f"{small['instructions'] / 1e6:.1f}",
            f"{large['instructions'] / 1e6:.1f}", f"{result['ratio']:.2f}"]


HEADINGS = ["point", "what is linked", "n", "million instructions, n", "4n",
            "ratio"]


def print_row(cells):
    print("| " + " | ".join(cells) + " |", flush=True)


def parse_arguments():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--culd", default=os.environ.get(
        "CULD", str(ROOT / "build" / "culd")))
    parser.add_argument("--arch", default=clone.STORED_ARCH)
    parser.add_argument("--quick", action="store_true",
                        help="fewer points, smaller sizes")
    parser.add_argument("--json", action="store_true",
                        help="all numbers, for programs to read")
    parser.add_argument("--compile", action="store_true",
                        help="make bench/templates anew and end")
    parser.add_argument("points", nargs="*", metavar="POINT",
                        help=", ".join(point.name for point in POINTS))
    options = parser.parse_args()
    names = {point.name for point in POINTS}
    for name in options.points:
        if name not in names:
            parser.error(f"no point {name}")
    return options


def chosen_points(options):
    wanted = options.points or (QUICK_POINTS if options.quick else None)
    return [point for point in POINTS if not wanted or point.name in wanted]


def main():
    options = parse_arguments()
    if options.compile:
        clone.store_templates()
        return 0
    if not shutil.which("valgrind"):
        print("valgrind not found")
        return 2
    results = []
    with tempfile.TemporaryDirectory(prefix="culd-growth-") as folder:
        bench = Bench(os.path.abspath(options.culd), options.arch, folder)
        if not options.json:
            print(f"{time.strftime('%Y-%m-%d')}, {options.arch}\n")
            print_row(HEADINGS)
            print_row(["---"] * len(HEADINGS))
        for point in chosen_points(options):
            results.append(measure_point(bench, point, options.quick))
            if not options.json:
                print_row(table_row(results[-1]))
    failed = [result["name"] for result in results if result["ratio"] >= LIMIT]
    if options.json:
        print(json.dumps({"arch": options.arch, "points": results,
                          "date": time.strftime("%Y-%m-%d"),
                          "failed": failed}, indent=1))
    else:
        print(f"\n{len(results) - len(failed)} passed, {len(failed)} failed"
              + "".join(f" {name}" for name in failed))
    return 1 if failed else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except measure.Failed as failure:
        print(failure)
        sys.exit(2)
