#!/usr/bin/env python3
"""Run the link cases of tests/links/ with culd and compare with nvlink.

    links.py [--culd PATH] [--nvlink auto|none|PATH] [--filter TEXT] [-j N]
    links.py --regenerate [--filter TEXT]   make the stored files with nvlink
    links.py --list                         the cases and what they show
    links.py --self-test                    check the runner: nvlink as culd

Every case is run for each of its targets in two ways. Stored: culd links the
stored inputs, and exit status, messages and output must be those that nvlink
gave. Live, where the CUDA tools are installed: the inputs are compiled from
their sources again, must still be the stored ones if the tools are of the
same version, and both linkers must agree on them. A case that "differs" has
an expectation of its own, because there nvlink is wrong.
"""
import argparse
import os
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

TESTS = Path(__file__).resolve().parent
sys.path.insert(0, str(TESTS))
sys.path.insert(0, str(TESTS / "live"))

from cubindiff import differences                               # noqa: E402
from linkcase import CASES, Result, load_cases                  # noqa: E402
from rebuild import BuildError, Toolkit, build_inputs           # noqa: E402
from statements import check_statements                         # noqa: E402

# The stored files were made with this version; others may compile to other
# inputs, which is no failure.
STORED_WITH = "V13.0.88"
DEFAULT_CULD = os.environ.get("CULD", str(TESTS.parent / "build" / "culd"))
DIFFERENCES = TESTS.parent / "docs" / "differences.md"
EARLIER = b"an earlier output that a failing link must leave alone\n"
SHOWN_LINES = 12


class Linker:
    """A program with nvlink's command line."""

    def __init__(self, path, extra=()):
        self.path, self.extra = str(path), list(extra)

    def run(self, case, target, inputs, earlier=None):
        """Link in an empty folder; `earlier` is put where the output goes."""
        with tempfile.TemporaryDirectory(prefix="culd-link-") as folder:
            for name, data in inputs.items():
                path = Path(folder, name)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(data)
            output = Path(folder, case.output) if case.output else None
            if output and earlier is not None:
                output.write_bytes(earlier)
            done = subprocess.run(
                [self.path] + self.extra + case.arguments(target), cwd=folder,
                stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=120,
                env={"PATH": os.environ.get("PATH", ""), "LC_ALL": "C"})
            return Result(done.returncode, done.stdout.decode("latin-1"),
                          done.stderr.decode("latin-1"),
                          content_of(output) if output else None,
                          {name: content_of(Path(folder, name))
                           for name in case.side})


def content_of(path):
    return path.read_bytes() if path.exists() else None


def compare(expected, actual):
    """Readable lines saying how two results differ; empty: the same."""
    lines = []
    if expected.exit != actual.exit:
        lines.append("exit status: expected %d, got %d" % (expected.exit,
                                                           actual.exit))
    for stream in ("stdout", "stderr"):
        old, new = getattr(expected, stream), getattr(actual, stream)
        if old != new:
            lines.append("%s: expected" % stream)
            lines += ["    " + line for line in old.splitlines()]
            lines.append("%s: got" % stream)
            lines += ["    " + line for line in new.splitlines()]
    if (expected.output is None) != (actual.output is None):
        lines.append("output file: expected %s, got %s" % tuple(
            "none" if r.output is None else "one" for r in (expected, actual)))
    elif expected.output != actual.output:
        lines += differences(expected.output, actual.output)
    for name, content in expected.side.items():
        if content != actual.side[name]:
            lines.append("%s: expected %r, got %r" % (name, content,
                                                      actual.side[name]))
    return lines


def listed_difference(case):
    """Every deliberate difference must be explained to the users."""
    if DIFFERENCES.exists() and case.name not in DIFFERENCES.read_text():
        return ["%s is not mentioned in docs/differences.md" % case.name]
    return []


def compare_different(case, target, inputs, actual):
    """Check a result against the case's own statement of what is right."""
    wanted, lines = case.differs, listed_difference(case)
    if actual.exit != wanted.get("exit", 0):
        lines.append("exit status: expected %d, got %d"
                     % (wanted.get("exit", 0), actual.exit))
    pattern = wanted.get("stderr")
    if pattern is not None and not re.search(pattern, actual.stderr):
        lines += ["stderr does not match %r:" % pattern, actual.stderr]
    if wanted.get("exit", 0) and actual.output is not None:
        lines.append("a failing link wrote an output file")
    if not wanted.get("exit", 0):
        lines += check_statements(wanted, target, inputs, actual.output)
    return lines


def check(case, target, inputs, actual):
    if case.differs_for(target):
        return compare_different(case, target, inputs, actual)
    return compare(case.golden(target), actual)


def check_stored(linker, case, target):
    """culd on the stored inputs against nvlink's stored result."""
    inputs = case.input_files(target)
    actual = linker.run(case, target, inputs)
    lines = check(case, target, inputs, actual)
    if not lines and actual.exit and case.output == "out.cubin":
        again = linker.run(case, target, inputs, EARLIER)
        if again.output != EARLIER:
            lines = ["a failing link changed the output file of an earlier "
                     "one"]
    return lines


def check_live(linker, nvlink, tools, case, target):
    """Sources compiled again, both linkers run, whole files compared."""
    inputs, golden = build_inputs(tools, case, target), case.golden(target)
    expected = nvlink.run(case, target, inputs)
    if inputs == case.input_files(target):
        # check_stored has compared just this; and what nvlink does where it
        # is wrong may change from machine to machine.
        if case.differs_for(target) or expected.same_as(golden):
            return []
        return (["nvlink no longer gives the stored result:"] +
                compare(golden, expected))
    if tools.same_version:
        return ["a source no longer compiles to the stored input"]
    if case.differs_for(target):
        return []
    return compare(expected, linker.run(case, target, inputs))


def same_version(nvlink):
    said = subprocess.run([nvlink, "--version"], text=True,
                          stdout=subprocess.PIPE).stdout
    return STORED_WITH in said


def store(path, data):
    """Make a stored file say this; None: there is to be none."""
    if data is None:
        path.unlink(missing_ok=True)
    elif not path.exists() or path.read_bytes() != data:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)


def of_this_machine(inputs):
    """Inputs whose debug tables name headers of a toolkit or a compiler: they
    hold the times of those files, so no other machine compiles the same."""
    return ["%s names headers of this machine: do without them in code "
            "with debug information" % name
            for name, data in inputs.items() if b"/include" in data]


def regenerate(nvlink, tools, case, target):
    """Make the stored files of one case; from nvlink's results only."""
    inputs = build_inputs(tools, case, target)
    if of_this_machine(inputs):
        return of_this_machine(inputs)
    result = nvlink.run(case, target, inputs)
    if not result.same_as(nvlink.run(case, target, inputs)):
        return ["nvlink's result changes from run to run"]
    if result.exit != case.exit:
        return ["case.json says exit status %d, nvlink gives %d"
                % (case.exit, result.exit), result.stderr]
    folder = case.stored(target)
    kept = (set(inputs) | set(case.side) |
            {"out.cubin", "stderr.txt", "stdout.txt"})
    for stale in folder.rglob("*"):
        if stale.is_file() and str(stale.relative_to(folder)) not in kept:
            stale.unlink()
    for name, data in inputs.items():
        store(folder / name, data)
    store(folder / "out.cubin", result.output)
    store(folder / "stderr.txt", result.stderr.encode() or None)
    store(folder / "stdout.txt", result.stdout.encode() or None)
    for name, content in result.side.items():
        store(folder / name, content)
    return []


class Tally:
    """Counts checks, and prints those that fail."""

    def __init__(self, verbose, again):
        self.passed = self.failed = self.skipped = 0
        self.verbose, self.again = verbose, again

    def note(self, label, kind, lines):
        """Count one check; None instead of lines means it was skipped."""
        if lines is None:
            self.skipped += 1
        elif not lines:
            self.passed += 1
            if self.verbose:
                print("ok %s (%s)" % (label, kind))
        else:
            self.failed += 1
            print("not ok %s (%s)" % (label, kind))
            for line in "\n".join(lines).splitlines()[:SHOWN_LINES]:
                print("    " + line)
            if len(lines) > SHOWN_LINES:
                print("    ... and %d lines more" % (len(lines) - SHOWN_LINES))
            print("    again: %s --filter '%s'" % (self.again, label))

    def finish(self):
        print("%d passed, %d failed, %d skipped" % (self.passed, self.failed,
                                                    self.skipped))
        return 1 if self.failed else 0


def guarded(function, *arguments):
    """A check that cannot be run is a failure, not the end of the suite."""
    try:
        return function(*arguments)
    except (BuildError, KeyError, OSError,
            subprocess.SubprocessError) as error:
        return [str(error)]


def run_one(job):
    """All checks of one case for one target: [(kind, lines or None)]."""
    options, tools, linker, nvlink, case, target = job
    missing = tools.missing_for(case)
    if options.regenerate:
        if missing:
            return [("regenerate", ["%s is needed" % missing])]
        return [("regenerate", guarded(regenerate, nvlink, tools, case,
                                       target))]
    if options.self_test and case.differs_for(target):
        return [("stored", None), ("live", None)]
    stored = guarded(check_stored, linker, case, target)
    if missing:
        return [("stored", stored), ("live", None)]
    return [("stored", stored),
            ("live", guarded(check_live, linker, nvlink, tools, case,
                             target))]


def parse_options():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--culd", default=DEFAULT_CULD)
    parser.add_argument("--nvlink", default="auto")
    parser.add_argument("--filter", default="", metavar="TEXT",
                        help="only cases whose area/name@target contains it")
    parser.add_argument("-j", type=int, default=os.cpu_count() or 1)
    parser.add_argument("-v", action="store_true", help="name what passes too")
    parser.add_argument("--regenerate", action="store_true")
    parser.add_argument("--self-test", action="store_true")
    parser.add_argument("--list", action="store_true")
    return parser.parse_args()


def list_cases(jobs):
    shown = None
    for *_, case, _ in jobs:
        if case is not shown:
            print("%s [%s]\n    %s" % (case.name, " ".join(case.targets),
                                       case.about))
            shown = case


def main():
    options = parse_options()
    tools = Toolkit(options.nvlink)
    tools.same_version = bool(tools.nvlink) and same_version(tools.nvlink)
    nvlink = Linker(tools.nvlink)
    linker = nvlink if options.self_test else Linker(
        Path(options.culd).resolve(), ["--identify-as=nvlink"])
    jobs = [(options, tools, linker, nvlink, case, target)
            for case in load_cases(CASES) for target in case.targets
            if options.filter in "%s@%s" % (case.name, target)]
    if options.list:
        list_cases(jobs)
        return 0
    if not options.regenerate and not Path(linker.path).exists():
        print("no linker at %s" % linker.path)
        return 1
    again = "python3 tests/links.py"
    if options.culd != DEFAULT_CULD:
        again += " --culd " + options.culd
    tally = Tally(options.v, again)
    with ThreadPoolExecutor(options.j) as pool:
        for job, checks in zip(jobs, pool.map(run_one, jobs)):
            for kind, lines in checks:
                tally.note("%s@%s" % (job[-2].name, job[-1]), kind, lines)
    return tally.finish()


if __name__ == "__main__":
    sys.exit(main())
