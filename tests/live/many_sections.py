#!/usr/bin/env python3
"""A link with more than 65279 sections, which no stored case can hold.

    many_sections.py [--culd PATH] [--target sm_75] [--kernels N]

Section numbers then no longer fit into symbols and the ELF header, and
.symtab_shndx appears. The sources are made here: nothing but empty kernels,
each of which has three sections. Both linkers must write the same file, but for
the symbols of section 65522: nvlink writes that number into them as it is, where
it reads as SHN_COMMON. culd must read such files too: a partial link is linked
again.
"""
import argparse
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from cubindiff import differences                       # noqa: E402
from links import DEFAULT_CULD                          # noqa: E402
from rebuild import Toolkit, run_tool                   # noqa: E402

INPUTS = 4
HEADING = ".version 9.0\n.target sm_75\n.address_size 64\n\n"
SHT_SYMTAB, SHT_SYMTAB_SHNDX, SHN_COMMON, SHN_XINDEX = 2, 18, 0xfff2, 0xffff
KERNEL = ".visible .entry k%d()\n{\n    ret;\n}\n"


def compile_kernels(tools, folder, target, count):
    """The names of a few cubins that hold all the kernels."""
    names = []
    for part in range(INPUTS):
        numbers = range(part, count, INPUTS)
        source = Path(folder, "part%d.ptx" % part)
        source.write_text(HEADING + "".join(KERNEL % n for n in numbers))
        names.append("part%d.cubin" % part)
        run_tool([tools.ptxas, "-c", "-O0", "-arch=" + target, source.name,
                  "-o", names[-1]], folder)
    return names


def link(command, folder, target, names, output):
    subprocess.run(command + ["-arch=" + target] + names + ["-o", output],
                   cwd=folder, check=True, timeout=600)
    return Path(folder, output).read_bytes()


def corrected(image):
    """nvlink's file with the symbols of section SHN_COMMON mended."""
    image = bytearray(image)
    table, = struct.unpack_from("<Q", image, 40)
    header = lambda n: struct.unpack_from("<IIQQQQIIQQ", image, table + 64 * n)
    symbols, extended = header(3), header(4)
    assert (symbols[1], extended[1]) == (SHT_SYMTAB, SHT_SYMTAB_SHNDX)
    for n in range(symbols[5] // 24):
        at = symbols[4] + 24 * n + 6
        if struct.unpack_from("<H", image, at)[0] == SHN_COMMON:
            struct.pack_into("<H", image, at, SHN_XINDEX)
            struct.pack_into("<I", image, extended[4] + 4 * n, SHN_COMMON)
    return bytes(image)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--culd", default=DEFAULT_CULD)
    parser.add_argument("--target", default="sm_75")
    parser.add_argument("--kernels", type=int, default=22000)
    options = parser.parse_args()
    tools = Toolkit()
    if not tools.ptxas or not tools.nvlink:
        print("0 passed, 0 failed, 1 skipped")
        return 0
    culd = [str(Path(options.culd).resolve()), "--identify-as=nvlink"]
    with tempfile.TemporaryDirectory(prefix="culd-many-") as folder:
        names = compile_kernels(tools, folder, options.target,
                                options.kernels)
        failed = 0
        for inputs in (names, ["part.cubin"]):
            wanted = link([tools.nvlink], folder, options.target, inputs, "n.cubin")
            actual = link(culd, folder, options.target, inputs, "c.cubin")
            lines = differences(corrected(wanted), actual)
            for line in lines[:10]:
                print("    " + line)
            failed += bool(lines)
            link(culd + ["-r"], folder, options.target, names, "part.cubin")
    print("%d passed, %d failed, 0 skipped" % (2 - failed, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
