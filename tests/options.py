#!/usr/bin/env python3
"""Run culd with every option, in every spelling, and compare with nvlink.

    options.py [--culd PATH] [--nvlink auto|none|PATH] [--every N] [--filter TEXT] [-j N]
    options.py --regenerate         make the stored results with nvlink
    options.py --list

The cases are in option_cases/, one file for each subject. A case is a command
line; its result is the exit status, both streams and every file written. Each
is run in two ways. Stored: culd must leave behind what nvlink left behind when
the results in option_cases/expected/ were made. Live, where nvlink is
installed: nvlink must still leave that, and where nothing is stored, because
the result depends on the machine, both must leave the same. As this takes a
while, --every runs only one in N of the stored cases live.
"""
import argparse
import importlib
import json
import os
import shutil
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

TESTS = Path(__file__).resolve().parent
sys.path[:0] = [str(TESTS), str(TESTS / "live")]

from input_bench import compare_with_statement                      # noqa: E402
from links import DEFAULT_CULD, Tally, guarded, same_version         # noqa: E402
from option_cases import documents                                   # noqa: E402
from option_cases.case import OptionBench, compare_stored, to_stored  # noqa: E402
from rebuild import Toolkit                                         # noqa: E402

SUBJECTS = ("spellings values lists options_files checks records messages side_files hidden link_time compilations "
            "host_scripts additions").split()
EXPECTED = TESTS / "option_cases" / "expected"


def all_cases():
    """{subject/name: case}; a name is used once."""
    found = {}
    for subject in SUBJECTS:
        for case in importlib.import_module("option_cases." + subject).cases():
            label = "%s/%s" % (subject.replace("_", "-"), case.name)
            if label in found:
                raise ValueError("two cases are called " + label)
            found[label] = case
    return found


def load_expected():
    return {label: result for path in sorted(EXPECTED.glob("*.json"))
            for label, result in json.loads(path.read_text()).items()}


def follows_nvlink(case):
    return not case.instead or bool(case.instead.like)


class Session:
    def __init__(self, options, tools, folder):
        self.nvlink, self.culd = tools.nvlink, Path(options.culd).resolve()
        self.every = options.every
        self.tools, self.folder = tools, folder
        self.expected = load_expected()

    def bench(self, number):
        return OptionBench(Path(self.folder, "case%d" % number), self.nvlink, self.culd, self.tools.libnvvm)

    def check_stored(self, number, label, case):
        bench = self.bench(number)
        left = bench.run(bench.culd, case)
        if left.broke_down():
            return ["culd: %s" % left.exit]
        if not follows_nvlink(case):
            return compare_with_statement(case.instead, left)
        if label not in self.expected:
            return ["nothing is stored for it: run options.py --regenerate"]
        return compare_stored(self.expected[label], left)

    def check_live(self, number, label, case):
        if not case.stored:
            return self.bench(number).check(case)
        lines = compare_stored(self.expected[label], self.nvlink_left(number, case))
        return ["nvlink no longer gives the stored result:"] + lines if lines else []

    def nvlink_left(self, number, case):
        bench = self.bench(number)
        return bench.run(bench.nvlink, case.instead.like if case.instead else case)

    def is_skipped(self, number, case):
        """Of the live check."""
        if not self.nvlink or (case.needs and not self.tools.has(case.needs)):
            return True
        return case.stored and number % self.every != 0

    def check(self, item):
        """[(kind, lines)]; None for lines: skipped."""
        number, (label, case) = item
        checks = []
        if case.stored:
            checks.append(("stored", guarded(self.check_stored, number, label, case)))
        if follows_nvlink(case):
            checks.append(("live", None if self.is_skipped(number, case) else
                           guarded(self.check_live, number, label, case)))
        return checks

    def result(self, item):
        number, (_, case) = item
        left = self.nvlink_left(number, case)
        if left.broke_down():
            raise ValueError("%s: nvlink ends with %s" % (case.name, left.exit))
        return to_stored(left)


class Tools(Toolkit):
    """Knows where what the cases need is. Of other versions of nvlink culd claims nothing."""

    def __init__(self, nvlink):
        super().__init__(nvlink)
        if self.nvlink and not same_version(self.nvlink):
            self.nvlink = None
        self.libnvvm = self.nvlink and self.find_libnvvm()

    def find_libnvvm(self):
        root = Path(self.nvlink).resolve().parent.parent
        return next((str(path) for folder in ("nvvm/lib64", "lib64", "lib")
                     for path in [root / folder / "libnvvm.so"] if path.exists()), None)

    def has(self, what):
        if what == "ld":
            return bool(shutil.which("ld") and shutil.which("gcc"))
        return bool(getattr(self, what))


def regenerate(session, cases, jobs, is_part):
    """Stored results come from nvlink alone. A part of the cases adds to what is stored."""
    kept = {label: case for label, case in cases.items() if case.stored and follows_nvlink(case)}
    results = dict(session.expected) if is_part else {}
    with ThreadPoolExecutor(jobs) as pool:
        results.update(zip(kept, pool.map(session.result, enumerate(kept.items()))))
    stored = {}
    for label, result in results.items():
        stored.setdefault(label.split("/")[0], {})[label] = result
    EXPECTED.mkdir(exist_ok=True)
    for stale in set(EXPECTED.glob("*.json")) - {EXPECTED / (subject + ".json") for subject in stored}:
        stale.unlink()
    for subject, results in stored.items():
        (EXPECTED / (subject + ".json")).write_text(json.dumps(results, indent=1, sort_keys=True) + "\n")
    return 0


def parse_options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--culd", default=DEFAULT_CULD)
    parser.add_argument("--nvlink", default="auto")
    parser.add_argument("--every", type=int, default=1, metavar="N")
    parser.add_argument("--filter", default="", metavar="TEXT", help="only cases whose name contains it")
    parser.add_argument("-j", type=int, default=os.cpu_count() or 1)
    parser.add_argument("-v", action="store_true", help="name what passes too")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--regenerate", action="store_true")
    return parser.parse_args()


def main():
    options = parse_options()
    tools = Tools(options.nvlink)
    cases = {label: case for label, case in all_cases().items() if options.filter in label}
    if options.list:
        print("\n".join("%-60s %s" % (label, " ".join(case.command)) for label, case in cases.items()))
        return 0
    tally = Tally(options.v, "python3 tests/options.py")
    with tempfile.TemporaryDirectory(prefix="culd-options-") as folder:
        session = Session(options, tools, folder)
        if options.regenerate:
            return regenerate(session, cases, options.j, is_part=bool(options.filter))
        with ThreadPoolExecutor(options.j) as pool:
            for label, checks in zip(cases, pool.map(session.check, enumerate(cases.items()))):
                for kind, lines in checks:
                    tally.note(label, kind, lines)
    if not options.filter:
        for label, lines in documents.checks(session.culd):
            tally.note(label, "stored", lines)
    return tally.finish()


if __name__ == "__main__":
    sys.exit(main())
