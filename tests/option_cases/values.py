"""Numbers, booleans, choices and architectures."""
from .case import LINK, OBJECTS, Case, options

NUMBERS = ["0", "00", "-0", "1", "010", "08", "0x10", "0X10", "0x", "0xg", "-5", "-0x10", "+5", "+", "-", "--5", " 5", "\t5", "5 ",
           "5a", "1e3", "1.0", "0b11", "2147483647", "2147483648", "-2147483648", "-2147483649", "0x7fffffff", "0x80000000",
           "4294967296", "99999999999999999999999"]
VERSIONS = ["13.0", "13.1", "13.9", "13.00", "013.0", "+13.0", " 13.0", "13. 0", "13.0 ", "13.0x", "13.0 x", "13", "13.", ".0", "x",
            "13.x", "x.1", "13.0.1", "12.0", "14.0", "13.-1", "13.+1", "", "13 .0", "0x0d.0"]
NAMES = ["75", "80", "86", "87", "88", "89", "90", "90a", "100", "100a", "100f", "103", "103a", "103f", "110", "110a", "110f", "120",
         "120a", "120f", "121", "121a", "121f"]
BAD_NAMES = ["sm_70", "sm_75a", "sm_90f", "sm_", "90", "sm90", "SM_90", "sm_090", "sm_ 90", "sm_90 ", "compute_", "lto_", "ltoir_90",
             "sm_91", "sm_1000", "sm_90ab", "native", "all"]


def architecture_cases():
    for name in NAMES:
        for prefix in ("compute_", "lto_"):
            yield Case("arch-" + prefix + name, ["-arch=" + prefix + name, "empty.cubin"], files={"empty.cubin": b""})
    for name in BAD_NAMES:
        yield Case("arch[%s]" % name, ["-arch", name] + OBJECTS + ["-o", "out.cubin"])
    for name in ("75", "80", "86", "89", "90", "90a"):
        yield Case("no-input-for-sm_" + name, ["-arch=sm_" + name, "empty.cubin", "-o", "out.cubin", "-v"],
                   files={"empty.cubin": b""})


def cases():
    for value in NUMBERS:
        yield options("maxrregcount[%s]" % value, "-maxrregcount", value)
    for value in ("64", "0x40", "0100", "+64", " 64", "064", "-64", "32", "100", "4294967360", "x", ""):
        yield options("machine[%s]" % value, "-m", value)
    for value in ("true", "false", "True", "TRUE", "1", "0", "yes", " true"):
        yield options("device-stack-protector[%s]" % value, "-device-stack-protector", value)
        yield options("verbose-tkinfo[%s]" % value, "-verbose-tkinfo", value)
    for value in ("AARCH64", "ARMv7", "PPC64LE", "X86", "X86_64", "unknown", "x86_64", "X86 X86_64", "armv7", "X"):
        yield options("cpu-arch[%s]" % value, "-cpu-arch", value)
    for value in VERSIONS:
        yield options("cuda-api-version[%s]" % value, "-cuda-api-version", value)
    pairs = [("1", "0x1"), ("8", "010"), ("1", "2"), ("", "0")]
    for a, b in pairs:
        yield options("numbers-again[%s,%s]" % (a, b), "-maxrregcount=" + a, "-maxrregcount=" + b)
    yield Case("two-architectures", LINK + ["-arch=sm_90a"])
    yield options("long-value", "-nvvmpath", "x" * 5000)
    yield options("long-list", "-Xnvvm", ",".join("item%d" % i for i in range(500)))
    yield from architecture_cases()
