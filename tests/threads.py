#!/usr/bin/env python3
"""The same bytes and messages for any number of threads.

    threads.py [--culd PATH] [--every N]

Link cases (each N-th) and larger generated programs are linked with one thread
and with more, also with more than there are parts of the work. Of some of these
programs it is known what nvlink writes.
"""
import argparse
import hashlib
import os
import subprocess
import sys
import tempfile
from pathlib import Path

TESTS = Path(__file__).resolve().parent
sys.path.insert(0, str(TESTS))

from linkcase import load_cases                 # noqa: E402
from links import DEFAULT_CULD, Linker, compare  # noqa: E402
from containers import archive, fatbin, host_object  # noqa: E402
import generated                                # noqa: E402

COUNTS = (2, 5, 16)
ZSTD_MAGIC = b"\x28\xb5\x2f\xfd"
PROGRAMS = (("many", 250), ("weak", 40), ("debug", 60), ("data", 3),
            ("relocatable", 100), ("graph-a", 60), ("static", 20))

# Outputs of several parts, and the SHA-256 of what nvlink 13.0 writes.
KNOWN_OUTPUTS = (
    ("many", 120, "sm_90", "f84acdda663e86b3213fbc02311d4f9ff4bf9824ed5d01100f9c266ae9a7e452"),
    ("many", 120, "sm_100", "8f767919abf58cab2e3ffbc56dca6700755c3c8e2525a22a9028e612ee2c334a"),
    ("relocatable", 120, "sm_100",
     "8369a95b1283159b0bb8597ec656849dbdb3445311f215fa4a4a6db4fb97ee7f"),
)


def one_thread(culd):
    return Linker(culd, ["--threads=1"])


def check_case(culd, case, target):
    inputs = case.input_files(target)
    expected = one_thread(culd).run(case, target, inputs)
    for count in COUNTS:
        actual = Linker(culd, [f"--threads={count}"]).run(case, target, inputs)
        lines = compare(expected, actual)
        if lines:
            return [f"with {count} threads"] + lines
    return []


def link(culd, words, folder, *options):
    output = Path(folder, "out.cubin")
    output.unlink(missing_ok=True)
    done = subprocess.run([culd, *words, *options, "-o", output.name],
                          cwd=folder, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, timeout=120)
    return (done.returncode, done.stdout,
            output.read_bytes() if output.exists() else None)


def link_into_pipe(culd, words, folder):
    """Then the output is made in memory, as for users of the library."""
    output = Path(folder, "out.cubin")
    output.unlink()
    output.symlink_to("/dev/stdout")
    return subprocess.run([culd, *words, "--threads=5", "-o", output.name],
                          cwd=folder, stdout=subprocess.PIPE,
                          timeout=120).stdout


def check_program(culd, name, n):
    with tempfile.TemporaryDirectory(prefix="culd-threads-") as folder:
        words = generated.write(folder, name, n)
        expected = link(culd, words, folder, "--threads=1")
        if expected[0] or not expected[2]:
            return [f"status {expected[0]}: {expected[1]!r}"]
        if link(culd, words, folder) != expected:
            return ["differs with the default number of threads"]
        if link_into_pipe(culd, words, folder) != expected[2]:
            return ["differs where the output is no file"]
        return [f"differs with {count} threads" for count in COUNTS
                if link(culd, words, folder, f"--threads={count}") != expected]


def check_known(culd, name, n, arch, expected):
    with tempfile.TemporaryDirectory(prefix="culd-threads-") as folder:
        words = ["--identify-as=nvlink", *generated.write(folder, name, n, arch)]
        outputs = {f"with {count} threads": link(culd, words, folder, f"--threads={count}")[2]
                   for count in (1, *COUNTS)}
        outputs["where the output is no file"] = link_into_pipe(culd, words, folder)
        return [f"not what nvlink writes {how}" for how, output in outputs.items()
                if hashlib.sha256(output or b"").hexdigest() != expected]


def check_damaged(culd, n, arch):
    """Of several damaged inputs the first is named, whichever thread met one."""
    with tempfile.TemporaryDirectory(prefix="culd-threads-") as folder:
        words = generated.write(folder, "many", n, arch)
        damaged = [word for word in words if word.endswith(".cubin")][n // 3::n // 3][:2]
        for word in damaged:
            path = Path(folder, word)
            data = bytearray(path.read_bytes())
            data[data.index(b".nv.info\0")] ^= 1
            path.write_bytes(data)
        expected = link(culd, words, folder, "--threads=1")
        if expected[0] == 0 or damaged[0].encode() not in expected[1]:
            return [f"status {expected[0]}: {expected[1]!r}"]
        return [f"differs with {count} threads" for count in COUNTS
                if link(culd, words, folder, f"--threads={count}") != expected]


def check_packed(culd, n, arch, damaged, in_archive):
    """Host objects are unpacked by several threads. Some may be damaged."""
    with tempfile.TemporaryDirectory(prefix="culd-threads-") as folder:
        words = generated.write(folder, "many", n, arch)
        members = []
        for number, word in enumerate([word for word in words if word.endswith(".cubin")]):
            entry = fatbin.elf(arch.removeprefix("sm_"), Path(folder, word).read_bytes(),
                               ("zstd", "lz4", "")[number % 3])
            data = host_object.make(fatbin.pack([entry]), word)
            if number in damaged:
                at = data.index((ZSTD_MAGIC, b"ELF", b".text.")[number % 3], 100)
                data = data[:at] + bytes(16) + data[at + 16:]
            members.append((f"{number}.o", data))
        if in_archive:
            members = [("library.a", archive.pack(members))]
        for name, data in members:
            Path(folder, name).write_bytes(data)
        words = [word for word in words if not word.endswith(".cubin")]
        words += [name for name, _ in members]
        expected = link(culd, words, folder, "--threads=1")
        if (expected[0] != 0) != bool(damaged):
            return [f"status {expected[0]}: {expected[1]!r}"]
        return [f"differs with {count} threads" for count in COUNTS
                if link(culd, words, folder, f"--threads={count}") != expected]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--culd", default=DEFAULT_CULD)
    parser.add_argument("--every", type=int, default=7)
    options = parser.parse_args()
    culd = os.path.abspath(options.culd)
    checks = [(case.name, check_case, case, target)
              for case in load_cases()[::options.every]
              for target in case.targets[-1:]]
    checks += [(f"{name} of {n}", check_program, name, n)
               for name, n in PROGRAMS]
    checks += [(f"{name} of {n} for {arch}", check_known, name, n, arch, expected)
               for name, n, arch, expected in KNOWN_OUTPUTS]
    checks += [(f"damaged inputs for {arch}", check_damaged, 40, arch)
               for arch in ("sm_90", "sm_100")]
    checks += [(f"packed objects for {arch}, damaged: {damaged}, in an archive: {in_archive}",
                check_packed, 30, arch, damaged, in_archive)
               for arch in ("sm_90", "sm_100") for damaged in ((), (9,), (10, 20), (26,))
               for in_archive in (False, True)]
    failed = 0
    for name, check, *arguments in checks:
        lines = check(culd, *arguments)
        if lines:
            failed += 1
            print(f"failed {name}", *lines, sep="\n    ")
    print(f"{len(checks) - failed} passed, {failed} failed, 0 skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
