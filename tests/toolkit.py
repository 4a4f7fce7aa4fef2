#!/usr/bin/env python3
"""culd as the device linker of real builds.

    tests/toolkit.py [--folders | --full]

First the folders that culd --make-toolkit makes, on made-up toolkits; then,
where CUDA is installed, projects that are linked through such a folder and by
nvlink, and compared. --folders: the first part only; --full: many more
projects, some minutes. The linker under test comes from the environment
variable CULD (default: build/culd); CULD_NO_CUDA=1 hides the toolkit.
"""
import argparse
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "toolkit"))
import builds   # noqa: E402
import clangs   # noqa: E402
import folders  # noqa: E402
from checks import Results  # noqa: E402


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--folders", action="store_true")
    parser.add_argument("--full", action="store_true")
    options = parser.parse_args()
    results = Results()
    folders.run_all(results)
    if not options.folders:
        builds.run_all(results, options.full)
    if options.full:
        clangs.run_all(results)
    print(results.summary())
    return 1 if results.failed else 0


if __name__ == "__main__":
    sys.exit(main())
