"""Larger programs for the tests, of the benchmark's templates (bench/)."""
import importlib.util
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "bench"))

from clone import STORED_ARCH, Templates       # noqa: E402
from inputs import Inputs                      # noqa: E402

ARCH = STORED_ARCH


def load_points():
    """bench/links.py; a module named links is among the tests, too."""
    spec = importlib.util.spec_from_file_location(
        "bench_links", str(ROOT / "bench" / "links.py"))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return {point.name: point for point in module.POINTS}


KNOWN = load_points()


def write(folder, name, n, arch=ARCH):
    """Writes the inputs of a point of the benchmark with n objects; returns the
    words for the linker."""
    point = KNOWN[name]
    files = point.write(Inputs(folder, Templates(arch), None), n)
    return ["-arch=" + arch, *point.options, *files]
