"""Measures one link: culd, nvlink and the floor in turn."""
import contextlib
import filecmp
import pathlib
import shutil
import statistics
import tempfile

import measure
from clone import Templates
from inputs import Inputs
from toolkit import find_library, find_tool

NVLINK_LIMIT = 120   # seconds after which a run of nvlink is given up
GROWTH_ROUNDS = 5
FEWEST_ROUNDS, MOST_ROUNDS = 3, 41
OUTPUT = "out.cubin"  # of the same name for all: with -g it is recorded


class Bench:
    def __init__(self, build, culd, arch, seconds):
        programs = pathlib.Path(build) / "bench"
        self.culd, self.arch, self.seconds = culd, arch, seconds
        self.nvlink = find_tool("nvlink")
        self.floor, self.compressor = programs / "floor", programs / "compress"
        self.launcher = measure.Launcher(programs / "launch")
        self.templates = Templates(arch)

    @contextlib.contextmanager
    def link(self, point, n):
        """The link with its inputs written, for as long as it is used."""
        with tempfile.TemporaryDirectory(prefix="culd-bench-") as folder:
            inputs = Inputs(folder, self.templates, self.compressor)
            yield Link(self, point, folder, point.write(inputs, n))


class Link:
    """One set of inputs and the commands that are measured on it."""

    def __init__(self, bench, point, folder, names):
        self.bench, self.point, self.names = bench, point, names
        self.folder = pathlib.Path(folder)
        for program in ("culd", "nvlink"):
            (self.folder / program).mkdir()

    def command(self, program):
        if program == "cat":
            return ["cat", *self.names]
        if program in ("floor", "unpack"):
            size = (self.folder / "culd" / OUTPUT).stat().st_size
            mode = ["-u"] if program == "unpack" else []
            return [str(self.bench.floor), *mode, "floor.out", str(size),
                    *self.names]
        linker = self.bench.culd if program == "culd" else self.bench.nvlink
        identity = ["--identify-as=nvlink"] if program == "culd" else []
        options = list(self.point.options)
        if "-lcudadevrt" in options:
            options.append("-L" + find_library("libcudadevrt.a"))
        return [linker, f"-arch={self.bench.arch}", *identity, *options,
                "-suppress-stack-size-warning", *self.names,
                "-o", f"{program}/{OUTPUT}"]

    def run(self, program, **options):
        limit = NVLINK_LIMIT if program == "nvlink" else 0
        output = "cat.out" if program == "cat" else None
        return self.bench.launcher.run(self.command(program), self.folder,
                                       limit=limit, output=output, **options)

    def instructions(self, program):
        return measure.instructions(self.command(program), self.folder)

    def outputs_are_equal(self):
        return filecmp.cmp(self.folder / "culd" / OUTPUT,
                           self.folder / "nvlink" / OUTPUT, shallow=False)


def rounds_for(used, seconds):
    """As many as fit into the time, an odd number."""
    cost = sum(one.wall for one in used.values())
    count = min(max(int(seconds / max(cost, 1e-6)), FEWEST_ROUNDS), MOST_ROUNDS)
    return count | 1


def summary(runs, first):
    return {"seconds": statistics.median(run.seconds for run in runs),
            "wall": statistics.median(run.wall for run in runs),
            "kilobytes": first.kilobytes, "own_kilobytes": first.own_kilobytes}


def ratio(runs, above, below, field):
    """The median over the rounds: noise hits both programs of a round."""
    return statistics.median(
        getattr(a, field) / max(getattr(b, field), 1e-9)
        for a, b in zip(runs[above], runs[below]))


def add_ratios(result, runs, companion):
    if "nvlink" in runs:
        result["cpu"] = ratio(runs, "nvlink", "culd", "seconds")
        result["wall"] = ratio(runs, "nvlink", "culd", "wall")
        result["memory"] = (result["culd"]["own_kilobytes"]
                            / max(result["nvlink"]["own_kilobytes"], 1))
    if "floor" in runs:
        result["cpu_to_floor"] = ratio(runs, "culd", "floor", "seconds")
        result["wall_to_floor"] = ratio(runs, "culd", "floor", "wall")
    if "nvlink" in runs and "floor" in runs:
        result["cpu_of_floor"] = ratio(runs, "nvlink", "floor", "seconds")
    if companion:
        result["cpu_to_companion"] = ratio(runs, "culd", companion, "seconds")


def compare(bench, point, n, counts_instructions):
    """Everything about one link as a dictionary; times only after the outputs
    were found equal."""
    programs = ["culd"] + (["nvlink"] if bench.nvlink else [])
    programs += ["floor"] if point.needs != "ptxas" else []
    programs += [point.companion] if point.companion else []
    result = {"name": point.name, "what": point.what, "n": n, "same": None}
    with bench.link(point, n) as link:
        first = {program: link.run(program, looks_at_memory=True)
                 for program in programs}
        if bench.nvlink:
            if first["nvlink"] is None:
                raise measure.Failed(f"nvlink takes more than {NVLINK_LIMIT} s")
            result["same"] = link.outputs_are_equal()
            if not result["same"]:
                return result
        runs = {program: [] for program in programs}
        for _ in range(rounds_for(first, bench.seconds)):
            for program in programs:
                runs[program].append(link.run(program))
        result["rounds"] = len(runs["culd"])
        for program in programs:
            result[program] = summary(runs[program], first[program])
        add_ratios(result, runs, point.companion)
        if counts_instructions and shutil.which("valgrind"):
            result["instructions"] = {
                program: link.instructions(program)
                for program in programs if program in ("culd", "floor")}
    return result


def growth(bench, point, n):
    """CPU time of culd at grown(n) by that at n, in turn."""
    with bench.link(point, n) as small, \
            bench.link(point, point.grown(n)) as large:
        pairs = [(small.run("culd"), large.run("culd"))
                 for _ in range(GROWTH_ROUNDS)]
    return statistics.median(b.seconds / a.seconds for a, b in pairs)


def curve(bench, point, sizes, limit):
    """CPU seconds by size: {program: [(n, seconds)]}; a program that took
    longer than `limit` is not run at larger sizes."""
    points = {"nvlink": [], "culd": [], "floor": []}
    if not bench.nvlink:
        del points["nvlink"]
    for n in sizes:
        with bench.link(point, n) as link:
            for program in ("culd", "nvlink", "floor"):
                known = points.get(program)
                if known is None or (known and known[-1][1] > limit):
                    continue
                runs = [link.run(program)]
                if runs[0] and runs[0].seconds < limit / 4:
                    runs += [link.run(program) for _ in range(4)]
                if runs[0]:
                    known.append((n, min(run.seconds for run in runs)))
    return points
