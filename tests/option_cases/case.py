"""A command line and what it leaves behind."""
import hashlib
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Dict, List, Optional

from elf64 import Elf
from input_bench import Bench, Instead, Left, Link
from linkcase import neutral

INPUTS = Path(__file__).resolve().parent / "inputs"
# A link that goes well, to which a case adds its options.
OBJECTS = ["kernels.cubin", "library.cubin"]
LINK = ["-arch=sm_90"] + OBJECTS + ["-o", "out.cubin"]


class Libnvvm:
    """In place of a file's bytes: the library, of which culd looks only whether it is there."""


@dataclass
class Case:
    """`needs` is what must be installed for nvlink to do it: "ptxas", "libnvvm" or "ld"."""
    name: str
    command: List[str]
    files: Dict[str, object] = field(default_factory=dict)
    environment: Dict[str, str] = field(default_factory=dict)
    target: str = "sm_90"           # of the inputs
    needs: str = ""
    stored: bool = True             # results can be kept: culd gives them anywhere
    instead: Optional[Instead] = None

    def words(self):
        return self.command


def options(name, *words, **fields):
    """A link that goes well but for these options."""
    return Case(name, LINK + list(words), **fields)


def stored_inputs(target):
    return {path.name: path.read_bytes() for path in (INPUTS / target).iterdir()}


class OptionBench(Bench):
    """Every case finds the stored inputs in its folder, and no trace of the folder's own name in its results."""

    def __init__(self, folder, nvlink, culd, libnvvm=None):
        super().__init__(folder, nvlink, culd)
        self.libnvvm = libnvvm

    def run(self, linker, case):
        files = dict(stored_inputs(case.target), **case.files)
        for name, content in files.items():
            if isinstance(content, Libnvvm):
                files[name] = Link(self.libnvvm) if linker == self.nvlink else b""
        left = super().run(linker, Case(case.name, case.command, files, case.environment))
        mangled = re.sub("[^0-9A-Za-z]", "_", str(self.folder))
        for name, data in left.files.items():
            left.files[name] = data.replace(mangled.encode(), b"_folder")
        return left


def tool_record(data):
    """The command line in the first note of an output, or what there is instead."""
    notes = Elf(data).section(".note.nv.tkinfo").data
    strings = bytes(notes[48:]).split(b"\0")
    return (strings + [b""] * 5)[4].decode("latin-1")


def describe(data):
    """A file as it is stored: text itself, of cubins the record and a digest."""
    if data.startswith(b"\x7fELF"):
        return {"options": tool_record(data), "sha256": hashlib.sha256(data).hexdigest()}
    return data.decode("latin-1")


def to_stored(left):
    stored = {"exit": left.exit}
    for stream in ("stdout", "stderr"):
        if getattr(left, stream):
            stored[stream] = neutral(getattr(left, stream))
    if left.files:
        stored["files"] = {name: describe(data) for name, data in sorted(left.files.items())}
    return stored


def compare_stored(expected, left: Left):
    """Lines that say how a run differs from what is stored."""
    actual = to_stored(left)
    return ["%s: expected %r, got %r" % (what, expected.get(what), actual.get(what))
            for what in ("exit", "stdout", "stderr", "files") if expected.get(what) != actual.get(what)]
