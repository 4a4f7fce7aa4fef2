#!/usr/bin/env python3
"""A link with more than 65279 sections, which no stored case can hold.

    many_sections.py [--culd PATH] [--target sm_75] [--kernels N]

Section numbers then no longer fit into symbols and the ELF header, and
.symtab_shndx appears. The sources are made here: nothing but empty kernels,
each of which has three sections. Both linkers must write the same file.
"""
import argparse
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
        wanted = link([tools.nvlink], folder, options.target, names, "n.cubin")
        actual = link(culd, folder, options.target, names, "c.cubin")
    lines = differences(wanted, actual)
    for line in lines[:10]:
        print("    " + line)
    print("%d passed, %d failed, 0 skipped" % (not lines, bool(lines)))
    return 1 if lines else 0


if __name__ == "__main__":
    sys.exit(main())
