#!/usr/bin/env python3
"""Damaged inputs that were found by fuzzing, or stand for a kind of damage.

    regressions.py [--culd PATH] [--filter TEXT]

regressions/cases.json lists the links. Each must end as run.py asks of any
link; where "names" is given, a message must name the file and these places
(section, offset). A build with sanitizers sees more than a plain one.
"""
import argparse
import json
import os
import sys
import tempfile
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
sys.path.insert(0, str(FOLDER))

from run import DEFAULT_CULD, Runner                            # noqa: E402


class StoredLink:
    """One entry of cases.json, in the shape that Runner takes."""

    def __init__(self, fields):
        self.names = fields["files"]
        self.target = fields["target"]
        self.options = fields.get("options", [])
        self.exit = fields.get("exit", 1)
        self.places = fields.get("names", [])
        self.name = Path(self.names[0]).stem

    def files(self):
        return {name: (FOLDER / "regressions" / name).read_bytes()
                for name in self.names}

    def arguments(self):
        return (["-arch=" + self.target] + self.names + self.options +
                ["-o", "out.cubin"])


def problem_of(link, outcome):
    if outcome.finding:
        return outcome.finding
    if outcome.status != link.exit:
        return "exit status %d, not %d" % (outcome.status, link.exit)
    if link.places and not any("'%s%s" % (name, end) in outcome.said
                               for name in link.names for end in "':"):
        return "no message names the file"
    for place in link.places:
        if place not in outcome.said:
            return "no message names %s" % place
    return None


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--culd", default=DEFAULT_CULD)
    parser.add_argument("--filter", default="", metavar="TEXT")
    options = parser.parse_args()
    cases = json.loads((FOLDER / "regressions" / "cases.json").read_text())
    passed = failed = 0
    for link in map(StoredLink, cases):
        if options.filter not in link.name:
            continue
        with tempfile.TemporaryDirectory(prefix="culd-fuzz-") as folder:
            outcome = Runner(os.path.abspath(options.culd), folder).run(link)
        problem = problem_of(link, outcome)
        passed, failed = passed + (not problem), failed + bool(problem)
        if problem:
            print("%s: %s" % (link.name, problem))
            print("    " + "\n    ".join(outcome.said.splitlines()[:8]))
    print("%d passed, %d failed, 0 skipped" % (passed, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
