#!/usr/bin/env python3
"""What --stats and --time-trace say of a link is so.

    measurements.py [--culd PATH]

Counts are compared with what was linked, times with each other; traces must be
what trace viewers read.
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

TESTS = Path(__file__).resolve().parent
sys.path.insert(0, str(TESTS))

import generated                                # noqa: E402

OBJECTS, FUNCTIONS_OF_AN_OBJECT = 120, 10
PHASES = ["init", "read", "merge", "layout", "relocate", "finalize", "write",
          "write files"]


class Failed(Exception):
    pass


def expect(condition, what):
    if not condition:
        raise Failed(what)


class Link:
    """A generated program, linked once for each question."""

    def __init__(self, culd, folder):
        self.culd, self.folder = culd, Path(folder)
        self.words = generated.write(folder, "many", OBJECTS)

    def run(self, *options):
        done = subprocess.run(
            [self.culd, *self.words, *options, "-o", "out.cubin"],
            cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            universal_newlines=True, timeout=120)
        expect(done.returncode == 0 and not done.stderr,
               f"status {done.returncode}: {done.stderr}")
        return done.stdout

    def statistics(self):
        """The phases, {name: (ms, MB)}, and the counts, {name: number}."""
        phases, counts = self.run("--stats").split("\n\n")
        phases = [(line[:20].strip(), line[20:].split())
                  for line in phases.splitlines()[1:]]
        return (phases, {line[:20].strip(): int(line[20:])
                         for line in counts.splitlines()})

    def trace(self, *options):
        self.run("--time-trace=trace.json", *options)
        return json.loads((self.folder / "trace.json").read_text())

    def input_size(self):
        return sum(path.stat().st_size for path in self.folder.glob("0*.cubin"))

    def output_size(self):
        return (self.folder / "out.cubin").stat().st_size


def test_counts(link):
    _, counts = link.statistics()
    wanted = {"files": OBJECTS, "objects": OBJECTS,
              "functions": OBJECTS * FUNCTIONS_OF_AN_OBJECT,
              "bytes read": link.input_size(),
              "bytes written": link.output_size()}
    for name, count in wanted.items():
        expect(counts[name] == count, f"{name}: {counts[name]}, not {count}")
    for name, count in counts.items():
        expect(count > 0, f"{name}: {count}")


def test_leaf_kernels_are_counted(link):
    """Of a link for a target with mercury: two kernels, neither calls anything."""
    case = TESTS / "links/info/cluster-dimensions-are-copied/sm_100"
    link.words = ["-arch=sm_100", *sorted(
        str(path) for path in case.glob("*.cubin") if path.name != "out.cubin")]
    _, counts = link.statistics()
    kernels = [counts["leaf kernels"]] + [
        counts["... " + what] for what in ("rewritten", "only copied", "the same")]
    expect(kernels[0] == 2 == sum(kernels[1:]), f"{kernels}")


def test_times_and_memory(link):
    phases, _ = link.statistics()
    *phases, whole = phases
    expect([name for name, _ in phases] == PHASES, f"phases {phases}")
    total = sum(float(numbers[0]) for _, numbers in phases)
    expect(abs(total - float(whole[1][0])) < 0.01, f"{total} ms, not {whole}")
    memory = [float(numbers[1]) for _, numbers in phases]
    expect(memory == sorted(memory) and memory[0] > 0, f"peaks {memory}")


def spans(trace, category):
    return [event for event in trace["traceEvents"]
            if event["ph"] == "X" and event["cat"] == category]


def test_trace_has_the_phases(link):
    phases = spans(link.trace(), "phase")
    expect([phase["name"] for phase in phases] == PHASES, f"{phases}")
    for earlier, later in zip(phases, phases[1:]):
        expect(earlier["ts"] + earlier["dur"] <= later["ts"] + 0.01,
               f"{earlier} and {later} overlap")


def test_trace_has_the_threads(link):
    for count in (1, 3):
        loops = spans(link.trace(f"--threads={count}"), "loop")
        expect(loops, "no loop")
        expect({loop["tid"] for loop in loops} == set(range(1, count + 1)),
               f"{count} threads: {loops}")


def test_small_links_start_no_thread(link):
    link.words = link.words[:1] + ["-r"] + link.words[1:3]
    loops = spans(link.trace(), "loop")
    expect({loop["tid"] for loop in loops} <= {1}, f"{loops}")


def test_a_failed_link_has_a_trace(link):
    done = subprocess.run([link.culd, *link.words, "none.cubin",
                           "--time-trace=failed.json", "-o", "no.cubin"],
                          cwd=link.folder, stderr=subprocess.DEVNULL)
    expect(done.returncode == 1, f"status {done.returncode}")
    trace = json.loads((link.folder / "failed.json").read_text())
    expect([phase["name"] for phase in spans(trace, "phase")] ==
           ["init", "read", "write files"], f"{trace}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--culd", default=os.environ.get(
        "CULD", str(TESTS.parent / "build" / "culd")))
    culd = os.path.abspath(parser.parse_args().culd)
    tests = [item for name, item in globals().items()
             if name.startswith("test_")]
    failed = 0
    for test in tests:
        with tempfile.TemporaryDirectory(prefix="culd-measure-") as folder:
            try:
                test(Link(culd, folder))
            except (Failed, ValueError, KeyError) as failure:
                failed += 1
                print(f"failed {test.__name__}: {failure!r}")
    print(f"{len(tests) - failed} passed, {failed} failed, 0 skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
