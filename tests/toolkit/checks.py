"""What the parts of the toolkit test share: running, counting, comparing."""
import os
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
CULD = pathlib.Path(os.environ.get("CULD", ROOT / "build" / "culd")).resolve()

sys.path.insert(0, str(ROOT / "tests"))
from elf64 import Elf  # noqa: E402

SHF_ALLOC = 2


class Skipped(Exception):
    pass


class Results:
    """Counts checks; a failed one is shown with what it is about."""

    def __init__(self):
        self.passed = self.failed = self.skipped = 0

    def check(self, holds, about, detail=""):
        if holds:
            self.passed += 1
        else:
            self.failed += 1
            print(f"failed {about}" + (f": {detail}" if detail else ""), flush=True)

    def skip(self, about, reason):
        self.skipped += 1
        print(f"skipped {about}: {reason}", flush=True)

    def run(self, about, function, *arguments):
        """A test that raises AssertionError has failed."""
        try:
            function(*arguments)
            self.passed += 1
        except Skipped as reason:
            self.skip(about, reason)
        except (AssertionError, OSError) as error:
            self.check(False, about, error)

    def summary(self):
        return f"{self.passed} passed, {self.failed} failed, {self.skipped} skipped"


def run(*command, **options):
    """Status and output of a command; stderr is part of the output."""
    options.setdefault("stderr", subprocess.STDOUT)
    return subprocess.run([str(word) for word in command], text=True, errors="replace",
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, **options)


def need(*command, **options):
    """Like run, for what must work before anything can be compared."""
    done = run(*command, **options)
    if done.returncode != 0:
        raise AssertionError(f"{' '.join(map(str, command))}: status {done.returncode}\n"
                             f"{done.stdout}")
    return done.stdout


def find_tool(name):
    found = shutil.which(name)
    if not found:
        raise Skipped(f"{name} not found")
    return found


def without_temporary_names(text):
    """nvcc's temporary files carry process ids."""
    return re.sub(r"tmpxft_[0-9a-f]{8}_", "tmpxft_", text)


def loaded_sections(path):
    """What a program loads, by name: code, data, device images.

    Symbol tables name temporary files and are left out; images that were linked
    with -g name them too.
    """
    sections = {}
    for section in Elf(pathlib.Path(path).read_bytes()).sections:
        if (section.flags & SHF_ALLOC and section.has_bytes()
                and section.name != ".note.gnu.build-id"):
            data = re.sub(rb"tmpxft_[0-9a-f]{8}_", b"tmpxft_", bytes(section.data))
            sections[section.name] = sections.get(section.name, b"") + data
    return sections


def difference(expected, actual):
    """The sections in which two programs differ, in words; empty if in none."""
    return ", ".join(
        f"{name} ({len(expected.get(name, b''))} and {len(actual.get(name, b''))} bytes)"
        for name in sorted(set(expected) | set(actual))
        if expected.get(name) != actual.get(name))
