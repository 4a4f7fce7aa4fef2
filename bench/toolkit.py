"""Where the CUDA toolkit is, if there is one."""
import os
import pathlib
import shutil

LIBRARIES = ("lib64", "lib", "targets/x86_64-linux/lib")


def roots():
    named = [os.environ.get(name) for name in ("CUDA_PATH", "CUDA_HOME")]
    return [root for root in named + ["/usr/local/cuda"] if root]


def find_tool(name):
    """A CUDA program, None where there is none or CULD_NO_CUDA hides it."""
    if os.environ.get("CULD_NO_CUDA"):
        return None
    folders = [os.path.join(root, "bin") for root in roots()]
    return shutil.which(name, path=os.pathsep.join(
        [os.environ.get("PATH", os.defpath), *folders]))


def find_library(name):
    """The folder that holds a library of the toolkit, or None."""
    compiler = find_tool("nvlink")
    if not compiler:
        return None
    beside = pathlib.Path(compiler).resolve().parent.parent
    for root in [str(beside), *roots()]:
        for folder in LIBRARIES:
            if os.path.exists(os.path.join(root, folder, name)):
                return os.path.join(root, folder)
    return None


def has(what):
    return bool(find_library(what) if what.endswith(".a") else find_tool(what))
