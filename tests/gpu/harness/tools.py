"""What the suite needs of the machine: the GPU, the CUDA toolkit, culd and its toolkit."""
import importlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]


class NotHere(Exception):
    """The machine lacks something without which nothing can be tested."""


class Gpu:
    """The GPU of this machine, as its driver describes it."""

    def __init__(self):
        sys.path.insert(0, str(ROOT / "scripts"))
        driver = importlib.import_module("run-cubin")
        try:
            gpu = driver.Gpu()
        except driver.NotHere as reason:
            raise NotHere(str(reason)) from None
        self.name = gpu.name()
        major, minor = gpu.capability()
        self.capability = 10 * major + minor


class Tools:
    """The installed toolkit beside the one in which nvlink is culd."""

    def __init__(self, culd, work):
        nvcc = shutil.which("nvcc") or "/usr/local/cuda/bin/nvcc"
        if not os.path.exists(nvcc):
            raise NotHere("nvcc is not installed")
        # As it was found: /usr/local/cuda/bin shows in the output's tool record.
        self.cuda = Path(nvcc).parent.parent
        self.culd = Path(culd).resolve()
        self.shim = work / "toolkit"
        if not self.culd.exists():
            build_culd(self.culd.parent)
        shutil.rmtree(self.shim, ignore_errors=True)
        subprocess.run([str(self.culd), "--make-toolkit", str(self.shim), "--cuda",
                        str(self.cuda)], check=True, stdout=subprocess.DEVNULL)
        self.sanitizer = self.find("compute-sanitizer")
        self.release = self.compiler_release()

    def find(self, tool):
        beside = self.cuda / "bin" / tool
        return str(beside) if beside.exists() else shutil.which(tool)

    def compiler_release(self):
        """The compiler's version, in one line."""
        words = subprocess.run([str(self.cuda / "bin" / "nvcc"), "--version"], check=True,
                               stdout=subprocess.PIPE, text=True).stdout
        return words.strip().splitlines()[-2]


def build_culd(folder):
    subprocess.run(["make", "-s", "-C", str(ROOT), "BUILD=" + os.path.relpath(folder, ROOT)],
                   check=True)
