#!/usr/bin/env python3
"""Seeds for fuzz_input and fuzz_options, from the files of the link cases.

    seeds.py FOLDER         writes FOLDER/seeds-input and FOLDER/seeds-options
"""
import hashlib
import json
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
CONTAINERS = (".o", ".a", ".fatbin", ".obj", ".so", ".lib")
LARGEST = 60000


def write(folder, data):
    (folder / hashlib.sha1(data).hexdigest()[:16]).write_bytes(data)


def inputs(folder):
    for path in sorted((ROOT / "tests" / "links").rglob("*")):
        if path.is_file() and path.suffix in CONTAINERS and 0 < path.stat().st_size < LARGEST:
            target = {"sm_75": b"\1", "sm_89": b"\2", "sm_100a": b"\3"}.get(path.parent.name, b"\0")
            write(folder, target + path.read_bytes())
    for target in (b"\0", b"\1"):
        for name in ("kernels.o", "libparts.a"):
            write(folder, target + (ROOT / "examples" / name).read_bytes())


def options(folder):
    for path in sorted((ROOT / "tests" / "links").rglob("case.json")):
        words = json.loads(path.read_text()).get("options", [])
        if words:
            write(folder, " ".join(map(str, words)).encode())
    write(folder, b'-arch sm_90 "a b.o" a\\ b.o -l x,y --kernels-used="a,b",c -m64\n')


def main():
    folder = pathlib.Path(sys.argv[1])
    for name, make in (("input", inputs), ("options", options)):
        seeds = folder / f"seeds-{name}"
        seeds.mkdir(parents=True, exist_ok=True)
        make(seeds)
        print(len(list(seeds.iterdir())), "seeds for", name)


if __name__ == "__main__":
    main()
