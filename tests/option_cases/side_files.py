"""Outputs: where they go, when they are written, and what was there before."""
from input_bench import Folder

from .case import LINK, OBJECTS, Case

UNDEFINED = ["-arch=sm_90", "undefined.cubin", "-o", "out.cubin"]
TIMES = {"new": {}, "empty": {"t": b""}, "full": {"t": b"earlier\n"}, "headed": {"t": b"source file name , phase name\n"}, "folder": {"t": Folder()}}


def time_cases():
    for name, files in TIMES.items():
        yield Case("time-%s" % name, LINK + ["-time", "t"], files=files)
        yield Case("time-%s-of-a-failing-link" % name, UNDEFINED + ["-time", "t"], files=files)
    for value in ("-", "/dev/null", "", "nowhere/t", "./t"):
        yield Case("time[%s]" % value, LINK + ["-time", value])
        yield Case("time[%s]-of-a-failing-link" % value, UNDEFINED + ["-time", value])
    yield Case("time-of-a-missing-input", ["-arch=sm_90", "none.cubin", "-o", "out.cubin", "-time", "t"])
    yield Case("time-without-inputs", ["-arch=sm_90", "-o", "out.cubin", "-time", "t"])
    yield Case("time-of-a-virtual-target", ["-arch=compute_90", "kernels.cubin", "-time", "-"])
    yield Case("time-in-place-of-the-output", LINK + ["-time", "out.cubin"])


def output_cases():
    for value in ("-", "./-", "/dev/null", "", "sub/../out.cubin", "nowhere/out.cubin", "sub"):
        yield Case("output[%s]" % value, ["-arch=sm_90"] + OBJECTS + ["-o", value], files={"sub": Folder()})
    yield Case("output-replaces", LINK, files={"out.cubin": b"earlier"})
    yield Case("output-of-a-failing-link-stays", UNDEFINED, files={"out.cubin": b"earlier"})
    yield Case("no-output-of-a-virtual-target", ["-arch=compute_90"] + OBJECTS + ["-o", "out.cubin"], files={"out.cubin": b"earlier"})


def registration_cases():
    register = "--register-link-binaries"
    for value in ("reg.c", "-", "nowhere/reg.c", "", "sub"):
        for name, start in (("", LINK), ("-of-a-failing-link", UNDEFINED), ("-of-a-virtual-target", ["-arch=compute_90"] + OBJECTS)):
            yield Case("register[%s]%s" % (value, name), start + [register, value], files={"sub": Folder()})
    yield Case("register-replaces", LINK + [register, "reg.c"], files={"reg.c": b"earlier\n"})
    yield Case("register-after-a-fatal-error", ["-arch=sm_90", "library.cubin", "library.cubin", "-o", "out.cubin", register, "reg.c"])
    yield Case("register-of-a-partial-link", ["-arch=sm_90", "recursive.cubin", "-r", "-o", "out.cubin", register, "reg.c"])
    yield Case("register-of-nothing", ["-arch=sm_90", "empty.cubin", "-o", "out.cubin", register, "reg.c"], files={"empty.cubin": b""})


def cases():
    yield from time_cases()
    yield from output_cases()
    yield from registration_cases()
