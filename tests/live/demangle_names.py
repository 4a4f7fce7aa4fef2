#!/usr/bin/env python3
"""Fill or check the table of demangled names against nvlink.

    demangle_names.py TABLE            rewrite the right column
    demangle_names.py --check TABLE    only report rows that nvlink prints differently

A row is `mangled<TAB>as nvlink prints it`. To add names, append lines with the
mangled name alone and run the first form. Empty lines and lines that start with
`#` are kept. The names become functions of a PTX file, so that one link with
--dump-callgraph shows hundreds of them; ptxas and nvlink have to be on PATH.
"""
import argparse
import os
import re
import subprocess
import sys
import tempfile

CHUNK = 500
LINE = re.compile(r"(\d+): [\^&]*(.*) \[\d+\] ->( \d+)*$")
ENTRY = "demangle_names_entry"


def ptx(names):
    """Functions of these names, all called, so that none is removed."""
    lines = [".version 8.0", ".target sm_90", ".address_size 64"]
    lines += [".visible .func %s() { ret; }" % name for name in names]
    lines.append(".visible .entry %s() {" % ENTRY)
    lines += ["call %s, ();" % name for name in names]
    lines.append("ret; }")
    return "\n".join(lines) + "\n"


def dump(names):
    """nvlink's text for each name; functions are numbered as in the PTX."""
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "a.ptx"), "w") as f:
            f.write(ptx(names))
        subprocess.run(["ptxas", "-c", "-O0", "-arch=sm_90", "a.ptx",
                        "-o", "a.cubin"], cwd=folder, check=True)
        link = subprocess.run(["nvlink", "-arch=sm_90", "--dump-callgraph",
                               "a.cubin", "-o", "b.cubin"], cwd=folder,
                              check=True, stderr=subprocess.PIPE, text=True)
    texts = {}
    for line in link.stderr.splitlines():
        match = LINE.match(line)
        if match:
            texts[int(match[1])] = match[2]
    if texts.get(len(names) + 1) != ENTRY:
        sys.exit("the call graph does not have one line per name")
    return {name: texts[i + 1] for i, name in enumerate(names)}


def ask_nvlink(names):
    answers = {}
    for start in range(0, len(names), CHUNK):
        answers.update(dump(names[start:start + CHUNK]))
    return answers


def is_row(line):
    return line != "" and not line.startswith("#")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--check", action="store_true")
    parser.add_argument("table")
    options = parser.parse_args()

    with open(options.table) as f:
        lines = f.read().split("\n")
    names = [line.split("\t")[0] for line in lines if is_row(line)]
    answers = ask_nvlink(list(dict.fromkeys(names)))

    result = []
    for line in lines:
        if is_row(line):
            name = line.split("\t")[0]
            line = name + "\t" + answers[name]
        result.append(line)

    if options.check:
        wrong = [(a, b) for a, b in zip(lines, result) if a != b]
        for old, new in wrong:
            print("table:  %s\nnvlink: %s" % (old, new))
        print("%d of %d rows differ" % (len(wrong), len(names)))
        return 1 if wrong else 0
    with open(options.table, "w") as f:
        f.write("\n".join(result))
    return 0


if __name__ == "__main__":
    sys.exit(main())
