"""A program of the suite: a folder with its sources and program.json.

Fields of program.json, all but `features` optional:

    features    what the program is about, for the table
    sources     the files to compile, where it is not every one of the folder
    flags       for the compilation of every source
    unit_flags  {source: flags} for single ones
    repeat      {source: N}: N objects of it, compiled with -DINDEX=0 to N-1
    target      instead of -arch=$SM
    variants    names from VARIANTS; all of them where nothing is said
    link        shell commands, run in turn where the objects lie, the last of which makes `program`.
                $FLAGS is target and variant, $OBJECTS all objects, $SOURCES the program's folder
    nvlink      other commands for nvlink's side, where it links wrongly what `link` says; bytes are
                not compared then
    needs       the least compute capability: 90
    arguments   of the program
    files       what the program reads, copied to where it runs
    output      "numbers vary": figures in the output are times and the like, and not compared, nor
                is the order of lines
    sanitizer   false: compute-sanitizer says nothing useful of it

$SM and $COMPUTE stand for the GPU's sm_NN and compute_NN everywhere.
"""
import json
import shlex
from collections import namedtuple
from pathlib import PurePath

VARIANTS = {"plain": "", "lines": "-lineinfo", "debug": "-G"}
LINK = ["nvcc $FLAGS $OBJECTS -o program"]
SUFFIXES = {".c", ".cc", ".cpp", ".cu"}
FIELDS = {"features", "sources", "flags", "unit_flags", "repeat", "target", "variants", "link", "nvlink",
          "needs", "arguments", "files", "output", "sanitizer"}

Unit = namedtuple("Unit", "source object flags")


class Program:
    def __init__(self, folder, group, capability):
        text = (folder / "program.json").read_text()
        given = json.loads(text.replace("$SM", "sm_%d" % capability)
                           .replace("$COMPUTE", "compute_%d" % capability))
        unknown = set(given) - FIELDS
        if unknown:
            raise ValueError("%s: unknown fields %s" % (folder, ", ".join(sorted(unknown))))
        self.folder, self.group, self.name = folder, group, folder.name
        self.features = given["features"]
        self.sources = given.get("sources") or sorted(
            path.name for path in folder.iterdir() if path.suffix in SUFFIXES)
        self.flags = shlex.split(given.get("flags", ""))
        self.unit_flags = {name: shlex.split(flags)
                           for name, flags in given.get("unit_flags", {}).items()}
        self.repeat = given.get("repeat", {})
        self.target = shlex.split(given.get("target", "-arch=sm_%d" % capability))
        self.variants = given.get("variants", list(VARIANTS))
        self.link = given.get("link", LINK)
        self.nvlink = given.get("nvlink")
        self.needs = given.get("needs", 0)
        self.arguments = shlex.split(given.get("arguments", ""))
        self.files = given.get("files", [])
        self.numbers_vary = given.get("output") == "numbers vary"
        self.sanitizer = given.get("sanitizer", True)

    def units(self):
        """What is compiled, in the order in which it is linked."""
        found = []
        for source in self.sources:
            stem = PurePath(source).stem
            flags = self.flags + self.unit_flags.get(source, [])
            if source not in self.repeat:
                found.append(Unit(source, stem + ".o", flags))
            for index in range(self.repeat.get(source, 0)):
                found.append(Unit(source, "%s_%03d.o" % (stem, index),
                                  flags + ["-DINDEX=%d" % index]))
        return found


def read_programs(folder, group, capability, text=""):
    """The programs below a folder whose names hold the text."""
    return [Program(path.parent, group, capability) for path in sorted(folder.glob("*/program.json"))
            if text in path.parent.name]
