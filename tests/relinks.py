#!/usr/bin/env python3
"""What a relocatable link writes can be linked again.

    relinks.py [--culd PATH] [--filter TEXT]

The inputs of each link case are linked with -r and the result once more,
without. The door (src/door/) knows what compilers write; here it sees what
linkers write: nvlink, where a case has its -r output stored, and culd. No such
file may be called damaged.
"""
import argparse
import os
import pathlib
import subprocess
import sys
import tempfile

from linkcase import load_cases

ROOT = pathlib.Path(__file__).resolve().parent.parent


def run(culd, folder, target, arguments):
    return subprocess.run([culd, "-arch=" + target] + arguments, cwd=folder, text=True, errors="replace",
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)


def write_inputs(case, target, folder):
    for name, data in case.input_files(target).items():
        path = pathlib.Path(folder, name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)


def own_output(culd, case, target, folder):
    """What culd -r makes of the inputs, where they can be linked at all."""
    options = [word.replace("{target}", target) for word in case.options if word != "-r"]
    for kind, name in (([], "whole.cubin"), (["-r"], "part.cubin")):
        done = run(culd, folder, target, kind + case.inputs + options + ["-o", name])
        if done.returncode or not os.path.exists(os.path.join(folder, name)):
            return None
    return "part.cubin"


def stored_output(case, target, folder):
    golden = case.golden(target).output
    if "-r" not in case.options or not golden:
        return None
    pathlib.Path(folder, "stored.cubin").write_bytes(golden)
    return "stored.cubin"


def check(culd, case, target):
    """(what failed or None) for each file that was linked again."""
    with tempfile.TemporaryDirectory() as folder:
        write_inputs(case, target, folder)
        for name in (own_output(culd, case, target, folder), stored_output(case, target, folder)):
            if name:
                said = run(culd, folder, target, [name, "-o", "again.cubin"]).stdout
                yield "%s@%s, %s: %s" % (case.name, target, name, said) if "is damaged" in said else None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--culd", default=os.environ.get("CULD", str(ROOT / "build" / "culd")))
    parser.add_argument("--filter", default="")
    options = parser.parse_args()
    culd = os.path.abspath(options.culd)
    passed = failed = 0
    for case in load_cases():
        if case.command is not None or options.filter not in case.name:
            continue
        for target in case.targets:
            for failure in check(culd, case, target):
                passed += failure is None
                failed += failure is not None
                if failure:
                    print("not ok " + failure)
    print("%d passed, %d failed, 0 skipped" % (passed, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
