#!/usr/bin/env python3
"""The demo runs to its end; its output is shown only where it does not."""
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent


def main():
    build = os.environ.get("CULD_BUILD", str(ROOT / "build"))
    done = subprocess.run(["bash", "scripts/demo", build], cwd=ROOT, text=True, errors="replace",
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT)
    if done.returncode == 0:
        print("1 passed, 0 failed, 0 skipped")
        return 0
    print(done.stdout)
    print("again: scripts/demo " + build)
    print("0 passed, 1 failed, 0 skipped")
    return 1


if __name__ == "__main__":
    sys.exit(main())
