"""Files as nvcc, ld, ar and fatbinary make them, and the libraries of the toolkit."""
import os
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from input_bench import Case

FIRST = """#include <cstdio>
__device__ int twice(int x);
__constant__ int table[4] = {1, 2, 3, 4};
static __device__ int counter;
__global__ void used(int *out) { *out = twice(*out) + table[*out & 3] + ++counter; }
__global__ void unused(int *out) { *out = twice(*out); }
static __global__ void hidden(float *out) { *out = 1.0f; printf("%f\\n", *out); }
void launch(int *out, float *other) { used<<<1, 1>>>(out); hidden<<<1, 1>>>(other); }
"""
SECOND = """__device__ int twice(int x) { return 2 * x; }
template <class T> __global__ void any(T *out) { *out += 1; }
void second(int *out) { any<<<1, 1>>>(out); }
"""
PARENT = """__global__ void child(int *out) { *out += 1; }
__global__ void parent(int *out) { child<<<1, 1>>>(out); }
void third(int *out) { parent<<<1, 1>>>(out); }
"""
WHOLE = "__global__ void alone(int *out) { *out = 3; }\nvoid fourth(int *out) { alone<<<1, 1>>>(out); }\n"
TARGET = ["-arch=sm_90"]
FLAGS = {
    "usual": TARGET,
    "zstd-dense": TARGET + ["-compress-mode=size"],
    "lz4": TARGET + ["-compress-mode=speed"],
    "not-compressed": TARGET + ["-compress-mode=none"],
    "debug": TARGET + ["-G"],
    "lines": TARGET + ["-lineinfo"],
    "several-targets": ["-gencode=arch=compute_75,code=sm_75", "-gencode=arch=compute_90,code=[sm_90,compute_90]"],
    "ptx-alone": ["-gencode=arch=compute_80,code=compute_80"],
    "ptx-with-debug": ["-gencode=arch=compute_90,code=compute_90", "-G"],
    "older-target": ["-arch=sm_75"],
    "link-time-and-ptx": ["-dlto", "-arch=sm_90"],
    "link-time": ["-gencode=arch=compute_90,code=lto_90"],
}


class Workshop:
    """Makes files in a folder, each once."""

    def __init__(self, folder, toolkit):
        self.folder, self.toolkit = Path(folder), toolkit
        for name, text in (("first.cu", FIRST), ("second.cu", SECOND), ("parent.cu", PARENT), ("whole.cu", WHOLE)):
            (self.folder / name).write_text(text)

    def run(self, *command):
        subprocess.run(command, cwd=self.folder, check=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)

    def nvcc(self, output, *arguments):
        self.run(str(self.toolkit / "bin" / "nvcc"), *arguments, "-o", output)

    def read(self, name):
        return (self.folder / name).read_bytes()


def compiled(shop):
    """{name of a set of flags: the first file compiled with them}"""
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(lambda item: shop.nvcc(item[0] + ".o", "-dc", *item[1], "first.cu"), FLAGS.items()))
    return {name: shop.read(name + ".o") for name in FLAGS}


def joined(shop):
    """Of the usual objects: what other tools make of them."""
    for source in ("first", "second", "parent"):
        shop.nvcc(source + ".o", "-dc", *TARGET, source + ".cu")
    shop.nvcc("whole.o", "-c", *TARGET, "whole.cu")
    shop.nvcc("extensible.o", "-c", "-ewp", *TARGET, "whole.cu")
    shop.nvcc("extensible.cubin", "-cubin", "-ewp", *TARGET, "whole.cu")
    shop.nvcc("second.fatbin", "-fatbin", "-dc", *TARGET, "second.cu")
    shop.nvcc("second.cubin", "-cubin", "-dc", *TARGET, "second.cu")
    shop.nvcc("second.ptx", "-ptx", "-dc", *TARGET, "second.cu")
    shop.run("ld", "-r", "first.o", "second.o", "-o", "both.o")
    shop.nvcc("part.o", "-r", *TARGET, "first.o", "second.o")
    shop.run("ar", "rcs", "libsecond.a", "second.o")
    shop.run("ar", "rcsT", "thin.a", "second.o")
    shop.run("ar", "rcS", "unindexed.a", "second.o", "whole.o")
    names = ("first.o second.o parent.o whole.o extensible.o extensible.cubin second.fatbin second.cubin second.ptx both.o part.o "
             "libsecond.a thin.a unindexed.a").split()
    return {name: shop.read(name) for name in names}


LINES = """
first.o second.o | second.o first.o | first.o second.fatbin | first.o second.cubin | first.o second.ptx | both.o | part.o | first.o both.o
first.o libsecond.a | libsecond.a first.o | first.o -L. -lsecond | first.o thin.a | first.o unindexed.a | first.o second.o whole.o
first.o second.o extensible.o | extensible.cubin | extensible.o | whole.o | first.o | parent.o | part.o parent.o
"""


def cases(templates):
    toolkit = Path(templates.ptxas).resolve().parent.parent
    libraries = ["-L%s" % (toolkit / "lib64")]
    found = []
    if not (toolkit / "bin" / "nvcc").exists():
        return found
    with tempfile.TemporaryDirectory(prefix="culd-inputs-") as folder:
        shop = Workshop(folder, toolkit)
        objects, files = compiled(shop), joined(shop)
    for name, image in objects.items():
        for options in ([], ["-g"], ["-ignore-host-info", "-v"]):
            found.append(Case("-".join([name] + options), {**files, "first.o": image}, options + ["first.o", "second.o"]))
    for line in LINES.replace("\n", "|").split("|"):
        words = line.split()
        for name, options in (("", []), ("-with-device-runtime", libraries + ["-lcudadevrt"]), ("-ignoring-host", ["-ignore-host-info"])):
            if words:
                found.append(Case("-".join(words) + name, files, words + options + ["--register-link-binaries=r.c"]))
    runtime = str(toolkit / "lib64" / "libcudart_static.a")
    found.append(Case("host-runtime", files, ["first.o", "second.o", runtime]))
    found.append(Case("as-nvcc-calls", files, ["-m64", "--register-link-binaries=r.c"] + libraries + [
        "-cpu-arch=X86_64", "parent.o", "first.o", "second.o", "-lcudadevrt", "--host-ccbin", "gcc"]))
    return found
