#!/usr/bin/env python3
"""The link cases compiled for targets that few of them are stored for.

    newer_targets.py FOLDER [--every N]     FOLDER/<case>/<target>/: the inputs

Needs ptxas. Cases whose inputs are edited or packed are left out: what they
edit may not be there on another target.
"""
import argparse
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

TESTS = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(TESTS), str(TESTS / "live")]

from linkcase import load_cases                                 # noqa: E402
from rebuild import BuildError, Toolkit, build_inputs           # noqa: E402

TARGETS = ("sm_100", "sm_103", "sm_110", "sm_120", "sm_121", "sm_100a")


def is_plain(case):
    sources = case.sources()
    return (sources and not case.command and not case.files and all(s.suffix == ".ptx" for s in sources) and
            all(set(recipe) <= {"source", "flags"} for recipe in case.build.values()))


def compile_case(tools, folder, case, target):
    """The folder of the compiled inputs, or None where the target does not take them."""
    place = Path(folder) / case.name / target
    if not place.exists():
        try:
            inputs = build_inputs(tools, case, target)
        except BuildError:
            inputs = {}
        place.mkdir(parents=True, exist_ok=True)
        for name, data in inputs.items():
            (place / name).write_bytes(data)
    return place if all((place / name).exists() for name in case.inputs) else None


def newer_links(folder, every=1, jobs=2):
    """(name, target, {file: bytes}, options) of each; compiled once, then kept in the folder."""
    tools = Toolkit()
    if not tools.ptxas:
        return []
    cases = [case for case in load_cases() if is_plain(case)][::every]
    wanted = [(case, TARGETS[number % len(TARGETS)]) for number, case in enumerate(cases)]
    with ThreadPoolExecutor(jobs) as pool:
        places = list(pool.map(lambda pair: compile_case(tools, folder, *pair), wanted))
    return [(case.name, target, {name: (place / name).read_bytes() for name in case.inputs}, list(case.options))
            for (case, target), place in zip(wanted, places) if place]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("folder")
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    print(len(newer_links(options.folder, options.every, options.jobs)), "links")


if __name__ == "__main__":
    main()
