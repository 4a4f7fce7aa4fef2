#!/usr/bin/env python3
"""Inputs that claim or imply more than they hold: time and memory stay small.

    limits.py [--filter TEXT]

Each link may take 10 seconds of CPU time and 1 GiB, and ends with a message or
an output.
"""
import argparse
import os
import pathlib
import resource
import struct
import subprocess
import sys
import tempfile

TESTS = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(TESTS), str(TESTS.parent / "bench")]

from clone import Templates                                           # noqa: E402
from containers import archive, compression, fatbin, host_object     # noqa: E402
from elf64 import Elf                                                 # noqa: E402

CULD = os.path.abspath(os.environ.get("CULD", str(TESTS.parent / "build" / "culd")))
SECONDS, MEMORY = 10, 1 << 30
EM_CUDA = 190
KERNELS = (TESTS / "fixtures" / "sm_90" / "kernels.cubin").read_bytes()
LIBRARY = (TESTS / "fixtures" / "sm_90" / "library.cubin").read_bytes()
DEBUGGED = (TESTS / "links/debug/full-debug-information-in-a-debug-link/sm_121/a.cubin").read_bytes()
REDUCE = (TESTS / "fixtures" / "sm_90" / "reduce.cubin").read_bytes()


def with_field(data, offset, code, value):
    packed = struct.pack(code, value)
    return data[:offset] + packed + data[offset + len(packed):]


def section_headers(data):
    return struct.unpack_from("<Q", data, 40)[0]


def target_of(files):
    """That of the first file, if it is a cubin: a byte of its flags."""
    first = next(iter(files.values()))
    return "sm_%d" % first[49] if first[:4] == b"\x7fELF" and first[18] == EM_CUDA else "sm_90"


def link(files, *options):
    """Exit status, messages, peak memory in bytes, seconds of CPU time: other processes may be busy, too."""
    with tempfile.TemporaryDirectory(prefix="culd-limits-") as folder:
        for name, data in files.items():
            (pathlib.Path(folder) / name).write_bytes(data)
        with subprocess.Popen([CULD, "-arch=" + target_of(files), *files, "-o", "out.cubin", *options], cwd=folder, text=True,
                              errors="replace", stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                              stderr=subprocess.PIPE) as process:
            said = process.stderr.read()
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status) if hasattr(os, "waitstatus_to_exitcode") else status >> 8
        return process.returncode, said, usage.ru_maxrss * 1024, usage.ru_utime + usage.ru_stime


def lz4_bomb(size):
    """A block of one match that repeats one byte for all of its length."""
    return compression.lz4_sequence(b"A", size - 13, 1) + compression.lz4_sequence(b"A" * 12)


def zstd_bomb(size):
    """Blocks that are one byte over and over."""
    frame = struct.pack("<IBB", 0xFD2FB528, 0, 0x50)     # a window of 1 MiB
    limit = 1 << 17
    count = size // limit
    for number in range(count):
        frame += compression.zstd_block(1, limit, b"A", number + 1 == count)
    return frame


# ---- each: ({file: bytes}, options), and what a message must hold; "": it may link; LINKS: it does ----

LINKS = None

def claimed_sections():
    """2^32 sections, counted in the first header."""
    table = section_headers(KERNELS)
    data = with_field(with_field(KERNELS, 60, "<H", 0), table + 32, "<Q", 1 << 32)
    return {"a.cubin": data}, "damaged"


def claimed_unpacked_size(pack):
    container = fatbin.pack([fatbin.elf("90", KERNELS, pack)])
    return {"a.fatbin": with_field(container, 16 + 56, "<Q", (1 << 31) - 1)}, "Uncompress failed"


def bomb(payload, size, flag):
    entry = bytearray(fatbin.pack([fatbin.elf("90", payload)]))
    struct.pack_into("<I", entry, 16 + 16, len(payload))
    struct.pack_into("<Q", entry, 16 + 56, size)
    struct.pack_into("<Q", entry, 16 + 40, struct.unpack_from("<Q", entry, 16 + 40)[0] | flag)
    return {"a.fatbin": bytes(entry)}, " "


def many_entries():
    """A fatbin of entries that do not fit, and archives of nothing but headers."""
    entry = fatbin.elf("75", b"")
    return {"a.fatbin": fatbin.pack([entry] * 50000)}, ""


def many_members():
    return {"a.a": archive.pack([("%d.o" % n, b"") for n in range(100000)]),
            "b.o": host_object.make(None)}, ""


# A member that is an ELF file, of no kind that is known, without a zero or a slash.
STRANGE_MEMBER = b"\x7fELF" + b"\x01" * 60


def one_long_name():
    """Any number of members may have their name at the same place of a table."""
    table = archive.member("//", b"a" * 1000000)
    return {"a.a": archive.MAGIC + table + 20000 * archive.member("/0", STRANGE_MEMBER),
            "b.o": host_object.make(None)}, ""


def late_end_of_names():
    """Names end at the first slash, which is the last byte of the file."""
    return {"a.a": archive.MAGIC + 20000 * archive.member("x", STRANGE_MEMBER) + b"/",
            "b.o": host_object.make(None)}, ""


def cyclic_calls():
    """Of 400 functions that each call the two behind them, half of the calls go the other way round."""
    data = bytearray(Templates("sm_90")["diamond-400"].clone(0, 0))
    rows = next(s for s in Elf(bytes(data)).sections if s.name == ".nv.callgraph")
    calls = [struct.unpack_from("<II", data, at) for at in range(rows.offset, rows.offset + rows.size, 8)]
    calls = calls[1:calls.index((0, 0xfffffffe))]
    first, last = min(calls), max(calls)
    for number, (caller, callee) in enumerate(calls, 1):
        if callee % 2 and callee != first[1] and caller != last[0]:
            struct.pack_into("<II", data, rows.offset + 8 * number, callee, caller)
    return {"a.cubin": bytes(data)}, LINKS


def nested_names():
    """A name whose demangling nests as deep as it is long."""
    return {"a.cubin": KERNELS, "b.cubin": LIBRARY, "c.cubin": REDUCE}, "", \
        "--kernels-used=_Z" + "N" * 30000, "-v"


def nested_options():
    """An options file that names itself."""
    return {"a.cubin": KERNELS, "o.txt": b"--options-file o.txt"}, "", "--options-file=o.txt"


def huge_claim(field):
    """Each size, count and alignment of a section becomes the largest."""
    def make():
        table = section_headers(KERNELS)
        data = KERNELS
        for number in range(1, struct.unpack_from("<H", KERNELS, 60)[0]):
            data = with_field(data, table + 64 * number + field, "<Q", (1 << 63) - 1)
        return {"a.cubin": data}, "damaged"
    return make


def repeated_section(name, said, cubin=KERNELS):
    """The header of a section that is checked as a whole, again and again."""
    def make():
        table = section_headers(cubin)
        count = struct.unpack_from("<H", cubin, 60)[0]
        number = next(s.index for s in Elf(cubin).sections if s.name == name)
        rows = cubin[table:table + 64 * count] + 60000 * cubin[table + 64 * number:table + 64 * (number + 1)]
        data = with_field(cubin, 40, "<Q", len(cubin))
        return {"a.cubin": with_field(data, 60, "<H", count + 60000) + rows}, said
    return make


CASES = {
    "2^32 sections": claimed_sections,
    "a large size claimed of LZ4": lambda: claimed_unpacked_size("lz4"),
    "a large size claimed of zstd": lambda: claimed_unpacked_size("zstd"),
    "LZ4 bomb of 512 MiB": lambda: bomb(lz4_bomb(1 << 29), 1 << 29, 0x2000),
    "zstd bomb of 512 MiB": lambda: bomb(zstd_bomb(1 << 29), 1 << 29, 0x8000),
    "zstd bomb of 2 GiB": lambda: bomb(zstd_bomb((1 << 31) - (1 << 17)), (1 << 31) - (1 << 17), 0x8000),
    "50000 entries of a fatbin": many_entries,
    "100000 members of an archive": many_members,
    "20000 members with one long name": one_long_name,
    "20000 members whose names end late": late_end_of_names,
    "calls in cycles": cyclic_calls,
    "a name that nests 30000 deep": nested_names,
    "an options file that names itself": nested_options,
    "sizes of sections": huge_claim(32),
    "offsets of sections": huge_claim(24),
    "alignments of sections": huge_claim(48),
    "60000 times .nv.info": repeated_section(".nv.info", "a second section of this name"),
    "60000 times .debug_frame": repeated_section(".debug_frame", "stands behind others"),
    "60000 times the registers of mercury": repeated_section(
        ".nv.merc.nv_debug_info_reg_sass", "a second section of this name", DEBUGGED),
}


def problem_of(files, wanted, *options):
    """What is wrong with the way the link ends, or None."""
    status, said, memory, seconds = link(files, *options)
    if status not in (0, 1, 255):
        return "status %d: %s" % (status, said[:300])
    if status and ": " not in said:
        return "no message"
    if wanted is LINKS and status:
        return "status %d, said %r" % (status, said[:300])
    if wanted and (not status or wanted not in said):
        return "status %d, said %r" % (status, said[:300])
    is_sanitized = b"__asan_init" in pathlib.Path(CULD).read_bytes()
    if not is_sanitized and (seconds > SECONDS or memory > MEMORY):
        return "%.1f seconds and %d MiB" % (seconds, memory >> 20)
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--filter", default="")
    options = parser.parse_args()
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    passed = failed = 0
    for name, make in CASES.items():
        if options.filter not in name:
            continue
        problem = problem_of(*make())
        passed, failed = passed + (not problem), failed + bool(problem)
        if problem:
            print("failed %s: %s" % (name, problem))
    print("%d passed, %d failed, 0 skipped" % (passed, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
