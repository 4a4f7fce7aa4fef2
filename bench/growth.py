#!/usr/bin/env python3
"""How the cost of a link grows with its inputs.

    bench/growth.py [--culd FILE] [--quick] [--json] [POINT ...]

Links n and 4n generated objects under valgrind's callgrind and prints the
instructions of both and their ratio: 4 is linear, 16 quadratic. Instruction
counts hardly depend on the machine and not at all on its load. Ends with
status 1 when a ratio is 5 or more.

Where nvlink is installed (and CULD_NO_CUDA is not set), both linkers also link
one common size: the outputs must be equal byte for byte, then CPU time (the
least of several alternating runs) and peak memory are compared. An nvlink run
is given up after a few seconds.

The objects are clones of stored ones (see clone.py), so CUDA is not needed;
--compile makes the stored ones anew, --arch uses other ones, both with ptxas.
"""
import argparse
import filecmp
import json
import os
import pathlib
import platform
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
NVLINK_SECONDS = 15  # nvlink is given up after that
RUNS = 5
SLOW_SECONDS = 2    # a link that takes longer is run once
# A fifth of the work: enough to see a gross mistake, in well under a minute.
QUICK_POINTS = ("objects", "weak", "pointers", "statics", "shared-library",
                "relocatable", "diamond")
QUICK_DIVISOR = 5


class Bench:
    def __init__(self, culd, nvlink, arch, folder):
        self.culd, self.nvlink, self.arch = culd, nvlink, arch
        self.folder = pathlib.Path(folder)
        self.templates = clone.Templates(arch)

    def write_inputs(self, point, n):
        """Inputs of one link, in a folder of their own; (folder, names)."""
        folder = self.folder / f"{point.name}-{n}"
        for inner in ("culd", "nvlink"):
            (folder / inner).mkdir(parents=True)
        names = []
        for i, (template, own, following) in enumerate(point.objects(n)):
            names.append(f"{i:05}.cubin")
            (folder / names[-1]).write_bytes(
                self.templates[template].clone(own, following))
        return folder, names

    def command(self, linker, point, names):
        """The output's name is the same for both: -g records it."""
        is_culd = linker == self.culd
        identity = ["--identify-as=nvlink"] if is_culd else []
        output = "culd/out.cubin" if is_culd else "nvlink/out.cubin"
        return ([linker, f"-arch={self.arch}"] + identity + point.options
                + ["-suppress-stack-size-warning"] + names + ["-o", output])

    def count(self, point, n):
        folder, names = self.write_inputs(point, n)
        command = self.command(self.culd, point, names)
        counted = measure.instructions(command, folder)
        used = measure.usage(command, folder)
        shutil.rmtree(folder)
        return {"n": n, "instructions": counted, "seconds": used.seconds,
                "kilobytes": used.kilobytes}

    def compare(self, point, n):
        """CPU time and memory of both linkers on one link."""
        folder, names = self.write_inputs(point, n)
        ours = self.command(self.culd, point, names)
        theirs = self.command(self.nvlink, point, names)
        result = {"n": n, "culd": summarise([measure.usage(ours, folder)])}
        first = measure.usage(theirs, folder, NVLINK_SECONDS)
        if first is None:
            result["nvlink"] = None
        else:
            result["same"] = filecmp.cmp(folder / "culd/out.cubin",
                                         folder / "nvlink/out.cubin",
                                         shallow=False)
            runs = RUNS if first.seconds < SLOW_SECONDS else 1
            pairs = [(measure.usage(ours, folder), measure.usage(theirs, folder))
                     for _ in range(runs)]
            result["culd"] = summarise([pair[0] for pair in pairs])
            result["nvlink"] = summarise([pair[1] for pair in pairs])
        shutil.rmtree(folder)
        return result


def summarise(used):
    return {"seconds": min(one.seconds for one in used),
            "kilobytes": max((one.kilobytes for one in used if one.kilobytes),
                             default=None)}


def measure_point(bench, point, quick):
    n, compared = point.n, point.compare
    if quick and len(point.objects(n)) > 1:
        n, compared = n // QUICK_DIVISOR, compared // QUICK_DIVISOR
    result = {"name": point.name, "what": point.what,
              "options": point.options, "n": bench.count(point, n),
              "4n": bench.count(point, FACTOR * n)}
    result["ratio"] = (result["4n"]["instructions"]
                       / result["n"]["instructions"])
    if bench.nvlink:
        result["compared"] = bench.compare(point, compared)
    return result


def megabytes(kilobytes):
    return "-" if kilobytes is None else f"{kilobytes / 1024:.0f}"


def table_row(result):
    small, large = result["n"], result["4n"]
    cells = [result["name"], f"{small['n']}", f"{small['instructions'] / 1e6:.1f}",
             f"{large['instructions'] / 1e6:.1f}", f"{result['ratio']:.2f}",
             megabytes(large["kilobytes"])]
    return cells + comparison_cells(result.get("compared"))


def comparison_cells(compared):
    if compared is None:
        return []
    ours, theirs = compared["culd"], compared["nvlink"]
    cells = [f"{compared['n']}", f"{ours['seconds']:.3f}"]
    if theirs is None:
        return cells + [f"> {NVLINK_SECONDS}",
                        f"> {NVLINK_SECONDS / max(ours['seconds'], .001):.0f}",
                        megabytes(ours["kilobytes"]), "", "not run to its end"]
    return cells + [f"{theirs['seconds']:.3f}",
                    f"{theirs['seconds'] / max(ours['seconds'], .001):.0f}",
                    megabytes(ours["kilobytes"]), megabytes(theirs["kilobytes"]),
                    "yes" if compared["same"] else "NO"]


HEADINGS = ["point", "n", "Minstr n", "Minstr 4n", "ratio", "MB at 4n"]
NVLINK_HEADINGS = ["size", "culd s", "nvlink s", "times", "culd MB",
                   "nvlink MB", "same bytes"]


def print_row(cells):
    print("| " + " | ".join(cells) + " |", flush=True)


def machine():
    name = platform.processor() or platform.machine()
    try:
        for line in open("/proc/cpuinfo"):
            if line.startswith("model name"):
                name = line.split(":", 1)[1].strip()
                break
    except OSError:
        pass
    return f"{name}, {os.cpu_count()} cores, {platform.system()}"


def find_nvlink():
    if os.environ.get("CULD_NO_CUDA"):
        return None
    return shutil.which("nvlink", path=os.pathsep.join(
        [os.environ.get("PATH", os.defpath), "/usr/local/cuda/bin"]))


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


def is_good(result):
    return (result["ratio"] < LIMIT
            and result.get("compared", {}).get("same", True))


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
        bench = Bench(os.path.abspath(options.culd), find_nvlink(),
                      options.arch, folder)
        if not options.json:
            print(f"{machine()}, {time.strftime('%Y-%m-%d')}, {options.arch}\n")
            headings = HEADINGS + (NVLINK_HEADINGS if bench.nvlink else [])
            print_row(headings)
            print_row(["---"] * len(headings))
        for point in chosen_points(options):
            results.append(measure_point(bench, point, options.quick))
            if not options.json:
                print_row(table_row(results[-1]))
    failed = [result["name"] for result in results if not is_good(result)]
    if options.json:
        print(json.dumps({"machine": machine(), "arch": options.arch,
                          "date": time.strftime("%Y-%m-%d"),
                          "points": results, "failed": failed}, indent=1))
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
