"""Runs one command line with both linkers, in the same folder, and says how what they left behind differs."""
import os
import re
import shutil
import subprocess
from dataclasses import dataclass, field
from pathlib import Path
from typing import Dict, List, Optional

from cubindiff import differences
from linkcase import neutral

TIME_LIMIT = 10             # on some of the inputs nvlink never ends
STUCK = "no end after %d seconds" % TIME_LIMIT
# What differs from run to run.
TIMES = [(re.compile(r"(Compile time = )[0-9.]+ ms"), r"\1N ms"),
         (re.compile(r"(, nvlink , )[0-9.]+ , ms"), r"\1N , ms")]


class Folder:
    """In place of a file's bytes: a folder of that name."""


@dataclass
class Link:
    """In place of a file's bytes: a symbolic link to there."""
    to: str


@dataclass
class Instead:
    """What culd does where nvlink crashes, hangs or is wrong: fails with a message, or what nvlink does in another
    case, which is the same but for what nvlink cannot do."""
    why: str
    exit: int = 1
    stderr: str = r"culd (fatal|error) +: ."          # a regular expression
    stdout: str = ""                                  # another
    files: Dict[str, str] = field(default_factory=dict)     # and of files that are written
    like: "Case" = None


@dataclass
class Case:
    name: str
    files: Dict[str, object]
    arguments: List[str]
    target: str = "sm_90"
    output: bool = True
    environment: Dict[str, str] = field(default_factory=dict)
    instead: Optional[Instead] = None

    def words(self):
        return ["-arch=" + self.target] + self.arguments + (["-o", "out.cubin"] if self.output else [])


@dataclass
class Left:
    """What a run left behind."""
    exit: object                # a number, or STUCK
    stdout: str
    stderr: str
    files: Dict[str, bytes]     # those it wrote

    def broke_down(self):
        return self.exit == STUCK or self.exit < 0


def steady(text):
    for pattern, replacement in TIMES:
        text = pattern.sub(replacement, text)
    return text


def put(folder, files):
    for name, content in files.items():
        path = Path(folder, name)
        path.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(content, Folder):
            path.mkdir()
        elif isinstance(content, Link):
            path.symlink_to(content.to)
        else:
            path.write_bytes(content)


def written(folder, given):
    """The files that were not given, or are no longer what was given."""
    found = {}
    for path in Path(folder).rglob("*"):
        name = str(path.relative_to(folder))
        if path.is_file() and not path.is_symlink() and given.get(name) != path.read_bytes():
            found[name] = path.read_bytes()
    return found


class Bench:
    """Works in one folder of its own, because names of files end up in results."""

    def __init__(self, folder, nvlink, culd):
        self.folder = Path(folder)
        self.nvlink, self.culd = [str(nvlink)], [str(culd), "--identify-as=nvlink"]

    def run(self, linker, case):
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)
        put(self.folder, case.files)
        command = linker + case.words()
        environment = {name: value for name, value in os.environ.items() if name != "LIBRARY_PATH"}
        try:
            done = subprocess.run(command, cwd=self.folder, env=dict(environment, **case.environment), timeout=TIME_LIMIT,
                                  stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        except subprocess.TimeoutExpired:
            return Left(STUCK, "", "", {})
        return Left(done.returncode, steady(done.stdout.decode("latin-1")), steady(done.stderr.decode("latin-1")),
                    written(self.folder, case.files))

    def check(self, case):
        """Lines that say what is wrong; none: all is well."""
        actual = self.run(self.culd, case)
        if actual.broke_down():
            return ["culd: %s" % actual.exit]
        if case.instead and not case.instead.like:
            return compare_with_statement(case.instead, actual)
        expected = self.run(self.nvlink, case.instead.like if case.instead else case)
        if expected.broke_down():
            return ["nvlink: %s; the case must say what culd does instead" % expected.exit]
        return compare(expected, actual)


def compare_with_statement(wanted, actual):
    lines = []
    if actual.exit != wanted.exit:
        lines.append("exit status: expected %d, got %d" % (wanted.exit, actual.exit))
    for name in ("stdout", "stderr"):
        if not re.search(getattr(wanted, name), getattr(actual, name), re.DOTALL):
            lines += ["%s does not match %r:" % (name, getattr(wanted, name)), getattr(actual, name)]
    for name, pattern in wanted.files.items():
        if not re.search(pattern, actual.files.get(name, b"").decode("latin-1"), re.DOTALL):
            lines.append("%s does not match %r" % (name, pattern))
    if wanted.exit and "out.cubin" in actual.files:
        lines.append("a failing link wrote an output file")
    return lines


def compare(expected, actual):
    lines = []
    if expected.exit != actual.exit:
        lines.append("exit status: nvlink %d, culd %d" % (expected.exit, actual.exit))
    for stream in ("stdout", "stderr"):
        wanted, got = neutral(getattr(expected, stream)), neutral(getattr(actual, stream))
        if wanted != got:
            lines += ["nvlink's %s:" % stream] + ["    " + line for line in wanted.splitlines()]
            lines += ["culd's %s:" % stream] + ["    " + line for line in got.splitlines()]
    return lines + compare_files(expected.files, actual.files)


def compare_files(expected, actual):
    lines = []
    for name in sorted(set(expected) | set(actual)):
        wanted, got = expected.get(name), actual.get(name)
        if wanted is None or got is None:
            lines.append("%s: written by %s only" % (name, "culd" if wanted is None else "nvlink"))
        elif wanted.startswith(b"\x7fELF"):
            lines += differences(wanted, got) if got.startswith(b"\x7fELF") else [name + " differs"]
        elif steady(wanted.decode("latin-1")) != steady(got.decode("latin-1")):
            lines += ["%s: nvlink wrote %r" % (name, wanted), "%s: culd wrote %r" % (name, got)]
    return lines
