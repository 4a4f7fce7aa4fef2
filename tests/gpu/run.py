#!/usr/bin/env python3
"""Run programs linked by culd on this machine's GPU, beside the same linked by nvlink.

    tests/gpu/run.py [--culd PATH] [--filter TEXT]

Needs a GPU with its driver, nvcc and nvlink. Every folder of tests/gpu/programs is one program: its
sources are compiled apart (plain, -lineinfo and -G), linked by both linkers in several ways, and
its kernel `run(int *out)` is launched with 64 threads and some dynamic shared memory. Both results
must be equal, and cuobjdump and nvdisasm must read culd's cubin where they are installed.
Ends with `N passed, N failed, N skipped`.
"""
import argparse
import ctypes
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

TESTS = Path(__file__).resolve().parent
PROGRAMS = TESTS / "programs"
ROOT = TESTS.parent.parent
THREADS, DYNAMIC_SHARED, RESULTS = 64, 1024, 1024
VARIANTS = {"plain": [], "lines": ["-lineinfo"], "debug": ["-G"]}
LINKS = {"link": [], "debug link": ["-g"], "partial link": ["-r"], "named kernel": ["--kernels-used=run"]}

sys.path.insert(0, str(ROOT / "scripts"))
run_cubin = __import__("run-cubin")


def launch(gpu, image):
    """What the kernel writes, or the driver's refusal."""
    try:
        module = gpu.load(image)
        kernel, address = ctypes.c_void_p(), ctypes.c_uint64()
        gpu.call("cuModuleGetFunction", ctypes.byref(kernel), module, b"run")
        gpu.call("cuMemAlloc_v2", ctypes.byref(address), ctypes.c_size_t(4 * RESULTS))
        gpu.call("cuMemsetD8_v2", address, ctypes.c_ubyte(0), ctypes.c_size_t(4 * RESULTS))
        arguments = (ctypes.c_void_p * 1)(ctypes.cast(ctypes.byref(address), ctypes.c_void_p))
        gpu.call("cuLaunchKernel", kernel, 1, 1, 1, THREADS, 1, 1, DYNAMIC_SHARED, None,
                 arguments, None)
        gpu.call("cuCtxSynchronize")
        out = (ctypes.c_int * RESULTS)()
        gpu.call("cuMemcpyDtoH_v2", out, address, ctypes.c_size_t(4 * RESULTS))
        gpu.call("cuMemFree_v2", address)
        gpu.call("cuModuleUnload", module)
        return list(out)
    except run_cubin.DriverError as error:
        return str(error)


def compile_program(folder, arch, flags, into):
    inputs = []
    for source in sorted(folder.glob("*.cu")):
        cubin = Path(into, source.stem + ".cubin")
        subprocess.run(["nvcc", "-std=c++17", "-dc", "-cubin", "-arch=" + arch, *flags,
                        str(source), "-o", str(cubin)], check=True)
        inputs.append(str(cubin))
    return inputs


def link(linker, arch, options, inputs, output):
    """Links; a partial link is followed by the final one."""
    if "-r" in options:
        part = output + ".part.cubin"
        subprocess.run([linker, "-arch=" + arch, *options, *inputs, "-o", part], check=True,
                       stderr=subprocess.DEVNULL)
        options, inputs = [], [part]
    subprocess.run([linker, "-arch=" + arch, *options, *inputs, "-o", output], check=True,
                   stderr=subprocess.DEVNULL)
    return Path(output).read_bytes()


def readable(cubin):
    """The tools that complain about the cubin."""
    complaints = []
    for command in (["cuobjdump", "-elf", cubin], ["nvdisasm", "-g", cubin]):
        if shutil.which(command[0]):
            done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
            if done.returncode or done.stderr:
                complaints.append(command[0])
    return complaints


class Tally:
    def __init__(self):
        self.passed = self.failed = self.skipped = 0

    def note(self, name, problem):
        if problem:
            self.failed += 1
            print("not ok %s: %s" % (name, problem))
        else:
            self.passed += 1

    def close(self):
        print("%d passed, %d failed, %d skipped" % (self.passed, self.failed, self.skipped))
        return 1 if self.failed else 0


def check(gpu, culd, arch, inputs, options, folder):
    """What is wrong with culd's form of the link, or None. A partial link by nvlink is no measure:
    it gives shared variables wrong addresses."""
    ours = launch(gpu, link(culd, arch, options, inputs, os.path.join(folder, "culd.cubin")))
    theirs = launch(gpu, link("nvlink", arch, [o for o in options if o != "-r"], inputs,
                              os.path.join(folder, "nvlink.cubin")))
    if isinstance(ours, str):
        return ours
    if ours != theirs:
        return "culd's result is not nvlink's"
    complaints = readable(os.path.join(folder, "culd.cubin"))
    return "%s complains" % complaints[0] if complaints else None


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--culd", default=os.environ.get("CULD", str(ROOT / "build" / "culd")))
    parser.add_argument("--filter", default="")
    options = parser.parse_args()
    tally = Tally()
    try:
        gpu = run_cubin.Gpu()
    except run_cubin.NotHere as reason:
        print("skipped: %s" % reason)
        tally.skipped = 1
        return tally.close()
    arch = "sm_%d%d" % gpu.capability()
    print("%s, %s" % (gpu.name(), arch))
    for folder in sorted(PROGRAMS.iterdir()):
        for variant, flags in VARIANTS.items():
            if options.filter not in folder.name:
                continue
            with tempfile.TemporaryDirectory(prefix="culd-gpu-") as scratch:
                inputs = compile_program(folder, arch, flags, scratch)
                for name, link_options in LINKS.items():
                    tally.note("%s, %s, %s" % (folder.name, variant, name),
                               check(gpu, os.path.abspath(options.culd), arch, inputs,
                                     link_options, scratch))
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
