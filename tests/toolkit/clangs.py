"""clang as the CUDA compiler: its device linker is nvlink, or culd in nvlink's place.

Needs a clang that knows the installed CUDA: CULD_CLANG, or the newest clang++
on PATH. Both linkers link the same objects.
"""
import os
import pathlib
import re
import shutil
import tempfile

from builds import find_cuda
from checks import CULD, ROOT, Skipped, difference, loaded_sections, need, run

PROJECT = ROOT / "tests" / "toolkit" / "scaling"

KERNEL = """\
int scale(int x);
__attribute__((nvptx_kernel)) void kernel(int *p)
{
    *p = scale(*p);
}
"""
FUNCTION = """\
int factor = 3;
int scale(int x)
{
    return factor * x;
}
"""

# Stands in for nvlink: leaves a trace, and writes nvlink's tool note.
LINKER = """\
#!/bin/sh
echo "$@" >> "{trace}"
exec "{culd}" --identify-as=nvlink "$@"
"""


def find_clang():
    """The newest clang++."""
    if os.environ.get("CULD_CLANG"):
        return os.environ["CULD_CLANG"]
    numbered = {int(found.group(1)): path
                for folder in os.environ["PATH"].split(os.pathsep)
                for path in pathlib.Path(folder).glob("clang++-*")
                for found in [re.fullmatch(r"clang\+\+-(\d+)", path.name)] if found}
    newest = str(numbered[max(numbered)]) if numbered else shutil.which("clang++")
    if not newest:
        raise Skipped("clang++ not found")
    return newest


class Workplace:
    """Both toolkits, clang, and the trace of culd's links."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder).resolve()
        self.clang = find_clang()
        need(CULD, "--make-toolkit", self.folder / "culd")
        linker = self.folder / "culd" / "bin" / "nvlink"
        installed = (linker.parent / "nvcc").resolve().parent.parent
        self.trace = self.folder / "trace"
        linker.unlink()
        linker.write_text(LINKER.format(trace=self.trace, culd=CULD))
        linker.chmod(0o755)
        self.toolkits = {"nvlink": installed, "culd": self.folder / "culd"}

    def compile(self, output, *words):
        done = run(self.clang, *words, "-Wno-unknown-cuda-version", "-c", "-o", output)
        if done.returncode != 0:
            raise Skipped(f"{self.clang} cannot compile: {done.stdout.strip()[-300:]}")
        return output

    def link_twice(self, output, *words):
        """What both linkers make of it, and whether culd was the linker the second time."""
        made = {}
        for linker, toolkit in self.toolkits.items():
            # The driver calls clang once more for the device code, without its --cuda-path.
            need(self.clang, *words, f"--cuda-path={toolkit}", "-Xoffload-linker",
                 f"--cuda-path={toolkit}", "-Wno-unknown-cuda-version",
                 "-Wno-unused-command-line-argument", "-o", output)
            made[linker] = loaded_sections(output)
            output.unlink()
        differs = difference(made["nvlink"], made["culd"])
        assert not differs, f"differs in {differs}"
        assert self.trace.exists(), "culd was not called"
        self.trace.unlink()


def test_device_objects(work):
    """clang --target=nvptx64-nvidia-cuda, with an archive of plain cubins."""
    target = ["--target=nvptx64-nvidia-cuda", "-march=sm_90"]
    for name, text in (("kernel", KERNEL), ("function", FUNCTION)):
        (work.folder / f"{name}.c").write_text(text)
        work.compile(work.folder / f"{name}.o", "-x", "c", *target, work.folder / f"{name}.c",
                     f"--cuda-path={work.toolkits['nvlink']}")
    need("ar", "rc", work.folder / "libfunction.a", work.folder / "function.o")
    work.link_twice(work.folder / "device.cubin", *target, work.folder / "kernel.o",
                    f"-L{work.folder}", "-lfunction")


def cuda_objects(work, driver):
    return [work.compile(work.folder / (source.stem + driver + ".o"), driver, "-fgpu-rdc",
                         f"--cuda-path={work.toolkits['nvlink']}", "--offload-arch=sm_80",
                         "--offload-arch=sm_90", source)
            for source in sorted(PROJECT.glob("*.cu"))]


def test_relocatable_code(work):
    """-fgpu-rdc: clang's own linking of device code, two architectures."""
    work.link_twice(work.folder / "program", "--offload-new-driver", "-fgpu-rdc",
                    "--offload-link", *cuda_objects(work, "--offload-new-driver"),
                    f"-L{work.toolkits['nvlink']}/lib64", "-lcudart_static", "-lpthread", "-ldl",
                    "-lrt")


def test_host_objects(work):
    """Objects of the older driver, as CMake gives them to the device linker."""
    register, linked = work.folder / "register.h", work.folder / "linked.cubin"
    words = ["-arch=sm_90", f"--register-link-binaries={register}",
             *cuda_objects(work, "--no-offload-new-driver"), f"-o={linked}"]
    made = []
    for toolkit in work.toolkits.values():
        said = need(toolkit / "bin" / "nvlink", *words)
        made.append((said, register.read_text(), linked.read_bytes()))
    assert made[0] == made[1], f"{made[0][:2]}\n{made[1][:2]}"
    assert "NUM_PRELINKED_OBJECTS 2" in made[0][1], made[0][1]


def run_all(results):
    try:
        find_cuda()
        with tempfile.TemporaryDirectory(prefix="culd-clang-") as folder:
            work = Workplace(folder)
            for test in (test_device_objects, test_relocatable_code, test_host_objects):
                results.run(f"clang, {test.__name__}", test, work)
    except Skipped as reason:
        results.skip("clang", reason)
