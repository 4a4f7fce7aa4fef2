#!/usr/bin/env python3
"""Gives all kinds of input files, sound and damaged, to nvlink and to culd, and compares everything they leave behind.

    inputs.py [--culd PATH] [--filter TEXT] [-j N] [-v] [--list] [--keep DIR]

The cases are in input_cases/, one file for each subject; each case has a name, such as
`archives/odd-size-is-padded`. Inputs are made here: fatbins, archives and host objects field by field
(tests/containers), around a few small cubins that ptxas compiles. Where nvlink crashes or hangs, the case says
what culd does instead. --keep writes the inputs of the cases that are run, and their command lines.
"""
import argparse
import importlib
import os
import shlex
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]

from input_bench import Bench, put                       # noqa: E402
from input_templates import Templates                    # noqa: E402
from links import DEFAULT_CULD, Tally                    # noqa: E402
from rebuild import Toolkit                              # noqa: E402

SUBJECTS = ("classification order selection fatbins compression host_objects registration host_references archives "
            "thin_archives libraries device_runtime ptx_files extensible toolkit_files large_sections").split()


def wanted_subjects(text):
    """Those in which a case may match: making inputs takes time."""
    subject, slash, _ = text.partition("/")
    return [name for name in SUBJECTS if not slash or name.replace("_", "-").endswith(subject)]


def all_cases(tools, subjects):
    """Cases are (subject/name, case); a name is used once."""
    templates, found = Templates(tools.ptxas), {}
    for subject in subjects:
        for case in importlib.import_module("input_cases." + subject).cases(templates):
            label = "%s/%s" % (subject.replace("_", "-"), case.name)
            if label in found:
                raise ValueError("two cases are called " + label)
            found[label] = case
    return found


def keep(folder, label, case):
    put(Path(folder, label), case.files)
    words = ["-arch=" + case.target] + case.arguments
    Path(folder, label, "arguments.txt").write_text(shlex.join(words) + "\n%s\n" % case.environment)


def parse_options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--culd", default=DEFAULT_CULD)
    parser.add_argument("--filter", default="", metavar="TEXT", help="only cases whose name contains it")
    parser.add_argument("-j", type=int, default=os.cpu_count() or 1)
    parser.add_argument("-v", action="store_true", help="name what passes too")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--keep", metavar="DIR")
    return parser.parse_args()


def main():
    options, tools = parse_options(), Toolkit()
    tally = Tally(options.v, "python3 tests/live/inputs.py")
    if not tools.ptxas or not tools.nvlink:
        print("no CUDA toolkit")
        tally.note("all", "live", None)
        return tally.finish()
    cases = {label: case for label, case in all_cases(tools, wanted_subjects(options.filter)).items() if options.filter in label}
    if options.list:
        print("\n".join(cases))
        return 0
    culd = Path(options.culd).resolve()
    with tempfile.TemporaryDirectory(prefix="culd-inputs-") as folder:
        def check(item):
            number, (label, case) = item
            if options.keep:
                keep(options.keep, label, case)
            return Bench(Path(folder, "case%d" % number), tools.nvlink, culd).check(case)
        with ThreadPoolExecutor(options.j) as pool:
            for label, lines in zip(cases, pool.map(check, enumerate(cases.items()))):
                tally.note(label, "live", lines)
    return tally.finish()


if __name__ == "__main__":
    sys.exit(main())
