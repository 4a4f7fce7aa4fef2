#!/usr/bin/env python3
"""No input can hurt: link damaged objects and look at how culd takes it.

    robustness.py [--culd PATH] [--count N] [--seed N] [--keep FOLDER]

Cubins are cut off, overwritten or replaced by something else,
one region of the file at a time, and linked with the others. Whatever the
damage, culd must end by itself within a few seconds with one of its exit
statuses, and either write an output and report success, or write none and say
why. Bytes that nobody can check (code, data) may of course link.

Every damaged file is made from the seed, the region and a number, so that a
failure can be made again. --keep saves the inputs of failures in a folder.
"""
import argparse
import os
import pathlib
import random
import re
import struct
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
TARGETS = ("sm_75", "sm_90", "sm_100")
NAMES = ("kernels", "library", "reduce")
OPTIONS = ((), ("-v", "--dump-callgraph"), ("-g",), ("-r",), ("--preserve-relocs",))
SECONDS = 20

# Numbers at which sizes, counts and indices overflow or wrap.
EDGES = (0, 1, 2, 3, 7, 0x7F, 0xFF, 0x100, 0x7FFF, 0xFEFF, 0xFF00, 0xFFF1, 0xFFF2,
         0xFFFF, 0x10000, 0x7FFFFFFF, 0x80000000, 0xFFFFFFF0, 0xFFFFFFFF,
         0x7FFFFFFFFFFFFFFF, 0x8000000000000000, 0xFFFFFFFFFFFFFFFF)

MESSAGE = re.compile(r"(culd|nvlink) (fatal|error|warning|info) +: ")


def sections(data):
    """(type, offset, size) of every section of an undamaged object."""
    table, count = struct.unpack_from("<Q", data, 40)[0], struct.unpack_from("<H", data, 60)[0]
    for index in range(1, count):
        at = table + 64 * index
        kind = struct.unpack_from("<I", data, at + 4)[0]
        offset, size = struct.unpack_from("<QQ", data, at + 24)
        yield kind, offset, size


def of_types(*types):
    return lambda data: [(offset, size) for kind, offset, size in sections(data)
                         if kind in types and size]


def section_table(data):
    table, count = struct.unpack_from("<Q", data, 40)[0], struct.unpack_from("<H", data, 60)[0]
    return [(table, 64 * count)]


# Region of the file -> where it is, as a list of (offset, size).
REGIONS = {
    "ELF header": lambda data: [(0, 64)],
    "section headers": section_table,
    "symbols": of_types(2, 0x70000085),
    "names": of_types(3),
    "notes": of_types(7),
    "relocations": of_types(4, 9, 0x70000082),
    "info records": of_types(0x70000000, 0x70000086, 0x70000083),
    "capsules": of_types(0x70000016),
    "callgraph": of_types(0x70000001, 0x70000002),
    "anything": lambda data: [(0, len(data))],
}


def overwrite(data, places, random_source):
    """One to three fields of the region, each with an odd number."""
    damaged = bytearray(data)
    for _ in range(random_source.choice((1, 1, 2, 3))):
        offset, size = random_source.choice(places)
        width = min(random_source.choice((1, 2, 4, 8)), size)
        at = offset + random_source.randrange(0, size - width + 1, width)
        number = random_source.choice(EDGES + (random_source.getrandbits(64),))
        damaged[at:at + width] = (number & ((1 << 8 * width) - 1)).to_bytes(width, "little")
    return bytes(damaged)


def cut(data, random_source):
    return data[:random_source.randrange(len(data))]


def replace(data, random_source):
    """A file that was never an object."""
    return random_source.choice((
        b"", b"\n", b"\x7fELF", data[:64], b"\x7fELF" + bytes(60), bytes(4096),
        b"!<arch>\n", random_source.randbytes(random_source.randrange(1, 5000)),
        data[:16] + random_source.randbytes(len(data) - 16), data[::-1]))


def damages():
    """Name of a test -> function (data, random source) -> damaged data."""
    tests = {"cut off": cut, "something else": replace}
    for name, places in REGIONS.items():
        tests[name] = lambda data, source, places=places: overwrite(
            data, places(data) or [(0, len(data))], source)
    return tests


def link(culd, arguments, files, folder):
    """What is wrong with the way culd ends, or None."""
    for name, data in files.items():
        (folder / name).write_bytes(data)
    output = folder / "out.cubin"
    output.unlink(missing_ok=True)
    command = [culd, *arguments, *files, "-o", "out.cubin"]
    try:
        done = subprocess.run(command, cwd=folder, timeout=SECONDS, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    except subprocess.TimeoutExpired:
        return f"still running after {SECONDS} seconds"
    said = done.stderr.decode("latin-1")
    if done.returncode not in (0, 1, 255):
        return f"status {done.returncode}: " + said[:2000]
    if done.returncode == 0 and not output.exists():
        return "success, but no output"
    if done.returncode != 0 and output.exists():
        return "failure, but an output was written"
    if done.returncode != 0 and not MESSAGE.search(said):
        return f"status {done.returncode} without a message: {said[:500]}"
    return None


def example(target):
    return {f"{stem}.cubin": (ROOT / "tests" / "fixtures" / target / f"{stem}.cubin").read_bytes()
            for stem in NAMES}


def damaged_link(name, damage, seed, number):
    """Options and files of one link; the same for the same test and number."""
    source = random.Random(f"{seed} {name} {number}")
    target = source.choice(TARGETS)
    arguments = ["-arch=" + target, *source.choice(OPTIONS)]
    files = example(target)
    victim = source.choice(sorted(files))
    files[victim] = damage(files[victim], source)
    return arguments, files


def keep(folder, name, number, arguments, files):
    folder = pathlib.Path(folder) / f"{name.replace(' ', '-')}-{number}"
    folder.mkdir(parents=True, exist_ok=True)
    for file, data in files.items():
        (folder / file).write_bytes(data)
    (folder / "command").write_text(" ".join(["culd", *arguments, *files, "-o out.cubin\n"]))


def run_test(options, name, damage, folder):
    """Link with `count` damaged files; true when culd took them all well."""
    failures = []
    for number in range(options.count):
        arguments, files = damaged_link(name, damage, options.seed, number)
        problem = link(options.culd, arguments, files, folder)
        if problem is None:
            continue
        failures.append(number)
        if len(failures) <= 3:
            print(f"{name} {number} ({' '.join(arguments)}): {problem}")
        if options.keep:
            keep(options.keep, name, number, arguments, files)
    if failures:
        print(f"{name}: {len(failures)} of {options.count} failed: {failures[:20]}")
    return not failures


def links_undamaged(culd, folder):
    """Were the files refused as they are, the tests below would mean little."""
    for target in TARGETS:
        arguments, files = ["-arch=" + target], example(target)
        problem = link(culd, arguments, files, folder)
        if problem or not (folder / "out.cubin").exists():
            print(f"undamaged ({target}): {problem or 'does not link'}")
            return False
    return True


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--culd", default=os.environ.get("CULD", str(ROOT / "build" / "culd")))
    parser.add_argument("--count", type=int, default=60, help="damaged files per region")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--keep", metavar="FOLDER")
    options = parser.parse_args()
    options.culd = os.path.abspath(options.culd)

    with tempfile.TemporaryDirectory(prefix="culd-robustness-") as folder:
        folder = pathlib.Path(folder)
        results = [links_undamaged(options.culd, folder)]
        results += [run_test(options, name, damage, folder)
                    for name, damage in damages().items()]
    passed, failed = results.count(True), results.count(False)
    if failed:
        print(f"again: python3 tests/robustness.py --seed {options.seed} --keep FOLDER")
    print(f"{passed} passed, {failed} failed, 0 skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
