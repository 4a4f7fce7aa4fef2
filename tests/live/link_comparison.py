"""Compiles the files of a program, links them with two linkers and says how the results differ."""
import os
import re
import shutil
import subprocess
import tempfile
import threading
from dataclasses import dataclass, field
from typing import List, Optional

from nvlink_flaws import explain
from section_difference import differing_sections

TIME_LIMIT = 120
INTERNAL_ERROR = "Internal error"
FATAL = re.compile(r"linker fatal ")
# culd says where the input is at fault, nvlink does not.
PLACE = re.compile(r"(?m)(Internal error: [^(\n]*?) \((?:in|kernel) '.*?\)((?: \(target: \w+\))?)$")
# culd has no compiler for code of another member of a family.
RECOMPILE = "cannot be made to run on"
NO_ONE = "Function '(null)' uses reserved shared memory when not allowed."
# nvlink gives the size of a layout that it makes for this message alone.
CONSTANT_SIZE = re.compile(r"(File uses too much global constant data \()0x[0-9a-f]+")


@dataclass
class Source:
    """One file as the compiler sees it."""
    name: str                # of the text file
    text: str
    command: List[str]       # compiler and options, without the file names

    @property
    def object_name(self):
        return os.path.splitext(self.name)[0] + ".cubin"


@dataclass
class Linked:
    """What one linker did."""
    status: int
    messages: str
    output: Optional[bytes]

    @property
    def crashed(self):
        return self.status < 0

    @property
    def gave_up(self):
        return self.crashed or INTERNAL_ERROR in self.messages

    def ordinary_messages(self):
        """All but the words with which a linker ends its work early."""
        return [line for line in self.messages.splitlines() if not FATAL.match(line)]


@dataclass
class Result:
    outcome: str             # identical, different, rejected, refused; failed: by nvlink; alone: refused by culd
    kind: str = ""           # of a difference: status, messages, bytes, crash
    detail: str = ""
    commands: List[List[str]] = field(default_factory=list)
    first: List[Linked] = field(default_factory=list)
    second: List[Linked] = field(default_factory=list)


class Compiler:
    """Runs the compiler, and remembers results: shrinking compiles the same text again and again."""

    def __init__(self, most_remembered=4000):
        self.results = {}
        self.most = most_remembered
        self.lock = threading.Lock()

    def compile(self, source: Source, folder):
        """The object's bytes, or None and the compiler's words."""
        key = (source.name, source.text, tuple(source.command))
        with self.lock:
            if key in self.results:
                return self.results[key]
        with open(os.path.join(folder, source.name), "w") as file:
            file.write(source.text)
        done = run(source.command + [source.name, "-o", source.object_name], folder)
        path = os.path.join(folder, source.object_name)
        found = (read(path), "") if done.status == 0 and os.path.exists(path) else (None, done.messages)
        with self.lock:
            if len(self.results) >= self.most:
                self.results.clear()
            self.results[key] = found
        return found


def run(command, folder):
    try:
        done = subprocess.run(command, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, timeout=TIME_LIMIT)
    except subprocess.TimeoutExpired:
        return Linked(status=-14, messages="took longer than %d seconds" % TIME_LIMIT, output=None)
    text = done.stdout + b"\n--stderr--\n" + done.stderr
    return Linked(status=done.returncode, messages=text.decode("utf-8", "replace"), output=None)


def read(path):
    with open(path, "rb") as file:
        return file.read()


def neutral(messages, program_name):
    """The same words whoever speaks: the linker's own name becomes `linker`."""
    messages = re.sub(r"(?m)^%s\b" % re.escape(program_name), "linker", messages)
    return CONSTANT_SIZE.sub(r"\1SIZE", PLACE.sub(r"\1\2", messages))


def failed_alone(first, second):
    """Whether only the first linker gave up: the second links, or says the other errors of the first, and goes on."""
    if not first.gave_up or second.gave_up:
        return False
    said = first.ordinary_messages()
    return first.crashed or second.status == 0 or second.ordinary_messages()[:len(said)] == said


def blames_no_one(first, second):
    """Whether all that the first says beyond the second is an error about a function that is removed."""
    said = first.messages.splitlines()
    rest = [line for line in said if NO_ONE not in line]
    if rest == said:
        return False
    return rest == second.messages.splitlines() or second.status == 0 and not any(" error " in line for line in rest)


class Comparison:
    """Two linkers, side by side."""

    def __init__(self, first, second, bytes_only=False, second_options=(), is_nvlink=True):
        self.first, self.second = first, second
        self.second_options = list(second_options)
        self.is_nvlink = is_nvlink           # the first: what docs/differences.md says of it is no difference
        self.bytes_only = bytes_only
        self.compiler = Compiler()

    def link(self, linker, extra, arguments, folder):
        output = os.path.join(folder, arguments[arguments.index("-o") + 1])
        if os.path.exists(output):
            os.unlink(output)
        linked = run(linker + extra + arguments, folder)
        linked.messages = neutral(linked.messages, os.path.basename(linker[-1]))
        if os.path.exists(output):
            linked.output = read(output)
        return linked

    def compare_step(self, result, arguments, folder):
        """Runs one link with both; True when the next step may follow."""
        first = self.link(self.first, [], arguments, folder)
        second = self.link(self.second, self.second_options, arguments, folder)
        result.commands.append(arguments)
        result.first.append(first)
        result.second.append(second)
        self.judge(result, first, second)
        return result.outcome == "identical"

    def known(self, first, second):
        """(outcome, detail) where the two differ as docs/differences.md says; None: elsewhere."""
        if failed_alone(first, second):
            return "failed", ""
        if blames_no_one(first, second):
            return "failed", "reserved memory of a removed function"
        if second.status == 1 and RECOMPILE in second.messages:
            return "refused" if first.status else "alone", "its compiler is needed"
        same = first.status == second.status and (self.bytes_only or first.messages == second.messages)
        flaw = explain(first.output, second.output) if same and first.output and second.output else None
        return ("failed", flaw) if flaw else None

    def judge(self, result, first, second):
        if first.crashed and second.crashed:
            result.outcome, result.kind, result.detail = "different", "crash", "both crash"
            return
        known = self.known(first, second) if self.is_nvlink else None
        if known:
            result.outcome, result.detail = known
            return
        same = "identical" if first.status == 0 else "refused"
        if second.crashed:
            result.outcome, result.kind, result.detail = "different", "crash", "signal %d" % -second.status
        elif self.bytes_only and first.status != 0:
            result.outcome = "refused"
        elif first.status != second.status:
            result.outcome, result.kind = "different", "status"
            result.detail = "status %d and %d: %s" % (first.status, second.status, first_words(first, second))
        elif not self.bytes_only and first.messages != second.messages:
            result.outcome, result.kind = "different", "messages"
            result.detail = first_words(first, second)
        elif first.output != second.output:
            result.outcome, result.kind = "different", "bytes"
            result.detail = differing_sections(first.output, second.output)
        else:
            result.outcome = same

    def compare(self, sources, arch, options, partial=0, folder=None):
        """Compiles and links; `partial` leading files are first joined with -r."""
        own = folder is None
        folder = folder or tempfile.mkdtemp(prefix="random-links-")
        try:
            return self._compare(sources, arch, options, partial, folder)
        finally:
            if own:
                shutil.rmtree(folder, ignore_errors=True)

    def _compare(self, sources, arch, options, partial, folder):
        result = Result(outcome="identical")
        for source in sources:
            content, words = self.compiler.compile(source, folder)
            if content is None:
                return Result(outcome="rejected", detail=words)
            with open(os.path.join(folder, source.object_name), "wb") as file:
                file.write(content)
        names = [source.object_name for source in sources]
        if partial:
            joined = ["-arch=" + arch, "-r"] + names[:partial] + ["-o", "joined.cubin"]
            if not self.compare_step(result, joined, folder):
                return result
            names = ["joined.cubin"] + names[partial:]
        self.compare_step(result, ["-arch=" + arch] + list(options) + names + ["-o", "linked.cubin"], folder)
        return result


def same_difference(before: Result, after: Result):
    """Whether a smaller program still shows the difference of the larger one, and not a new one."""
    if after.outcome != "different" or before.kind != after.kind:
        return False
    if before.kind == "bytes":
        return set(after.detail.split()) <= set(before.detail.split())
    return without_names(before.detail) == without_names(after.detail)


def without_names(detail):
    """Symbol and file names change while shrinking, the rest of a message does not."""
    return re.sub(r"'[^']*'|[0-9]+", "", detail)


def first_words(first, second):
    """The first line that only one of the two said."""
    mine, theirs = first.messages.splitlines(), second.messages.splitlines()
    for a, b in zip(mine + [""] * len(theirs), theirs + [""] * len(mine)):
        if a != b:
            return "%r and %r" % (a, b)
    return "equal words"
