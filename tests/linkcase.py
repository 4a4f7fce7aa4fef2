"""A link case: one folder under tests/links/, read from its case.json.

    tests/links/<area>/<behaviour>/
        case.json           what is linked, for which targets, what to expect
        a.ptx b.ptx ...     the sources of the inputs
        sm_75/a.cubin ...   the inputs, compiled
        sm_75/out.cubin     what nvlink wrote (missing: it wrote nothing)
        sm_75/stderr.txt    what nvlink said (missing: nothing); also stdout

Fields of case.json; all but "about" and "targets" may be left out:

    about     one sentence: the behaviour that the case shows
    targets   architectures; each has its own folder of stored files
    inputs    names on the command line, in order (default: one cubin for
              each source, sorted by name)
    files     further files that the link reads, such as libraries
    options   further arguments, after the inputs
    command   the whole argument list, in place of the usual one
    output    the file the command writes; null: none
    side      names of further files that it writes
    exit      nvlink's exit status (default 0)
    build     how an input is made, where it is not just its source compiled:
              {"b.cubin": {"source": "a.ptx", "flags": [...], "arch": "sm_80",
                           "edit": [...], "link": [...]}}
              "link": made by nvlink from other inputs, with these arguments;
              "toolkit": compiled by the ptxas of that one, which is not
              installed here, so that the stored file is taken;
              "text": a file with this text; "edit": see cubinedit.py;
              "fatbin", "object", "archive": see containers/recipes.py
    differs   culd is right and nvlink is not: {"why": ..., "exit": ...,
              "stderr": a regular expression, "targets": where that is so
              (default: all)}, and what is right: see statements.py;
              "exit" and the stored files still say what nvlink does, and
              docs/differences.md must name the case
"""
import json
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parent
CASES = ROOT / "links"
SOURCES = (".ptx", ".cu")

# Messages begin with the name of the program that gives them.
SPEAKER = re.compile(r"^(culd|nvlink) (?=(fatal|error|warning|info) +:)",
                     re.MULTILINE)


# culd says where the input is at fault; nvlink does not.
PLACE = re.compile(r"(Internal error: [^(\n]*?|Could not find fatbin in '.*')"
                   r" \((?:in '|kernel '|offset ).*\)$", re.MULTILINE)


def neutral(message):
    """A message as if nvlink had said it."""
    return PLACE.sub(r"\1", SPEAKER.sub("nvlink ", message))


class Result:
    """What one run of a linker left behind."""

    def __init__(self, exit, stdout, stderr, output, side=None):
        self.exit = exit
        self.stdout, self.stderr = neutral(stdout), neutral(stderr)
        self.output = output        # bytes, or None when there is no file
        self.side = side or {}      # name -> the same of other files

    def same_as(self, other):
        return vars(self) == vars(other)


class Case:
    def __init__(self, folder):
        self.folder = Path(folder)
        self.name = "%s/%s" % (self.folder.parent.name, self.folder.name)
        with open(self.folder / "case.json") as file:
            fields = json.load(file)
        self.about = fields.pop("about")
        self.targets = fields.pop("targets")
        self.build = fields.pop("build", {})
        self.inputs = fields.pop("inputs", None) or self._default_inputs()
        self.files = fields.pop("files", [])
        self.side = fields.pop("side", [])
        self.options = fields.pop("options", [])
        self.output = fields.pop("output", "out.cubin")
        self.command = fields.pop("command", None)
        self.exit = fields.pop("exit", 0)
        self.differs = fields.pop("differs", None)
        if fields:
            raise ValueError("%s: unknown fields %s" % (self.name,
                                                        sorted(fields)))

    def _default_inputs(self):
        """What is built by a recipe alone, e.g. a part of an -r link, is
        named in "inputs" explicitly."""
        return [p.stem + ".cubin" for p in self.sources()]

    def sources(self):
        return sorted(p for p in self.folder.iterdir() if p.suffix in SOURCES)

    def arguments(self, target):
        if self.command is not None:
            return [word.replace("{target}", target) for word in self.command]
        end = ["-o", self.output] if self.output else []
        return (["-arch=" + target] + self.inputs +
                [o.replace("{target}", target) for o in self.options] + end)

    def differs_for(self, target):
        return bool(self.differs) and target in self.differs.get("targets",
                                                                 [target])

    def stored(self, target):
        return self.folder / target

    def input_files(self, target):
        """The stored files that the link reads, and no others."""
        return {name: (self.stored(target) / name).read_bytes()
                for name in self.inputs + self.files
                if (self.stored(target) / name).exists()}

    def golden(self, target):
        """nvlink's stored result."""
        folder = self.stored(target)

        def read(name):
            path = folder / name
            return path.read_bytes() if path.exists() else None

        return Result(self.exit, (read("stdout.txt") or b"").decode(),
                      (read("stderr.txt") or b"").decode(),
                      read("out.cubin"),
                      {name: read(name) for name in self.side})


def load_cases(folder=CASES):
    return [Case(path.parent) for path in sorted(folder.glob("*/*/case.json"))]
