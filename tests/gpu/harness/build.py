"""Compiles a program's sources once and links the objects with either linker."""
import functools
import hashlib
import os
import shutil
import threading

from harness.process import run
from harness.program import VARIANTS

COMPILE_LIMIT, LINK_LIMIT = 300, 120


class BuildError(Exception):
    """A command of the build failed."""

    def __init__(self, command, done):
        super().__init__("%s\nstatus %d\n%s%s" % (command, done.status, done.output, done.errors))


class Build:
    """One program in one variant, below a folder of its own."""

    def __init__(self, program, variant, tools, work, headers):
        self.program, self.variant, self.tools = program, variant, tools
        self.headers = headers
        self.store = work / "objects"
        self.folder = work / program.group / program.name / variant
        self.link_flags = program.target + VARIANTS[variant].split()

    @property
    def name(self):
        return "%s, %s" % (self.program.name, self.variant)

    def compile(self, unit):
        """Makes the object of a unit, or takes the one that was made of the same text before."""
        stored = self.stored_object(unit)
        if not stored.exists():
            made = stored.with_suffix(".%d.o" % threading.get_ident())
            command = [str(self.tools.cuda / "bin" / "nvcc"), "-dc", *self.link_flags,
                       "-I", str(self.headers), *unit.flags, unit.source, "-o", str(made)]
            done = run(command, self.program.folder, COMPILE_LIMIT)
            if done.status != 0:
                raise BuildError(" ".join(command), done)
            made.rename(stored)

    def stored_object(self, unit):
        """Named after everything that the object is made of."""
        content = hashlib.sha256()
        for part in (self.tools.release, self.link_flags, unit.flags, unit.source):
            content.update(repr(part).encode())
        content.update(digest(self.program.folder) + digest(self.headers))
        return self.store / (content.hexdigest()[:32] + ".o")

    def prepare(self, side):
        """A folder in which the objects lie under their own names."""
        folder = self.folder / side
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        for unit in self.program.units():
            os.link(self.stored_object(unit), folder / unit.object)
        for name in self.program.files:
            shutil.copytree(self.program.folder / name, folder / name)
        return folder

    def commands(self, link):
        """The shell commands that link the program."""
        values = {"$FLAGS": " ".join(self.link_flags),
                  "$OBJECTS": " ".join(unit.object for unit in self.program.units()),
                  "$SOURCES": str(self.program.folder)}
        for command in link:
            for name, value in values.items():
                command = command.replace(name, value)
            yield command

    def link(self, side, toolkit, link, **variables):
        """Links with the tools of a toolkit; the folder then holds `program`."""
        folder = self.prepare(side)
        for command in self.commands(link):
            done = run(command, folder, LINK_LIMIT, environment(toolkit, **variables), shell=True)
            if done.status != 0:
                raise BuildError(command, done)
        return folder


@functools.lru_cache(maxsize=None)
def digest(folder):
    """A hash of the sources in a folder."""
    content = hashlib.sha256()
    for path in sorted(folder.rglob("*.[chi]*")):
        content.update(path.name.encode() + path.read_bytes())
    return content.digest()


def environment(toolkit, **more):
    """The environment in which `nvcc` is that of the toolkit."""
    path = os.pathsep.join([str(toolkit / "bin"), os.environ.get("PATH", os.defpath)])
    return dict(os.environ, PATH=path, **more)
