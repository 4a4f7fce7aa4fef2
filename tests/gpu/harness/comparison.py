"""The device links of a program, done by both linkers with the same words, compared byte for byte."""
import os
import re
import shlex
import shutil
import sys
from pathlib import Path

from harness.build import LINK_LIMIT, BuildError, environment
from harness.process import run

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "live"))
from section_difference import differing_sections  # noqa: E402

# Under these, nvcc's intermediate files have the names that a dry run shows, and stay.
KEEP = {"NVCC_APPEND_FLAGS": "--keep --keep-dir ."}
DRY_RUN = {"NVCC_APPEND_FLAGS": "--keep --keep-dir . --dryrun"}
NAMED_FILE = re.compile(r"--register-link-binaries=(.*)", re.DOTALL)


def nvlink_commands(build, folder):
    """The arguments of every device link that nvcc starts to link the program. The folder is one in
    which it was linked with KEEP."""
    for command in build.commands(build.program.link):
        if not command.startswith("nvcc "):
            continue
        done = run(command, folder, LINK_LIMIT, environment(build.tools.cuda, **DRY_RUN), shell=True)
        if done.status != 0:
            raise BuildError(command, done)
        for line in done.errors.splitlines():
            if line.startswith("#$ nvlink "):
                yield shlex.split(line)[2:]


def written_files(arguments):
    """The names of the files that a link writes."""
    for index, word in enumerate(arguments):
        named = NAMED_FILE.match(word)
        if index and arguments[index - 1] == "-o":
            yield word
        elif named:
            yield named.group(1)


def link(linker, arguments, side, folder):
    """The result of one linker, and its files. Both linkers write to the same names, which may show
    in the output, and the files are moved out of the way."""
    written = [folder / name for name in written_files(arguments)]
    files = [path.with_name(side + "." + path.name) for path in written]
    for path in written + files:
        path.unlink(missing_ok=True)
    done = run([str(linker), *arguments], folder, LINK_LIMIT)
    for path, moved in zip(written, files):
        if path.exists():
            path.replace(moved)
    return done, files


def copy_of(linked):
    """A folder beside with the same files, which may be replaced but not changed in it."""
    folder = linked.with_name("links")
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(linked, folder, copy_function=os.link)
    return folder


def first_difference(build, linked):
    """What differs between the device links of both, or None; the cubins of both beside it."""
    cubins, difference = [], None
    folder = copy_of(linked)
    for arguments in nvlink_commands(build, folder):
        theirs, their_files = link(build.tools.cuda / "bin" / "nvlink", arguments, "nvlink", folder)
        ours, our_files = link(build.tools.shim / "bin" / "nvlink",
                               ["--identify-as=nvlink", *arguments], "culd", folder)
        difference = difference or differing_result(theirs, ours)
        for their_file, our_file in zip(their_files, our_files):
            difference = difference or differing_file(their_file, our_file)
        cubins += [(our_file, their_file) for our_file, their_file in zip(our_files, their_files)
                   if our_file.suffix == ".cubin" and our_file.exists()]
    return difference, cubins


def differing_result(theirs, ours):
    for what, one, other in zip(("status", "stdout", "stderr"), theirs, ours):
        if one != other:
            return "%s: %r and %r" % (what, one, other)
    return None


def differing_file(theirs, ours):
    if theirs.exists() != ours.exists():
        return "%s: only one of them was written" % ours.name
    if not theirs.exists() or theirs.read_bytes() == ours.read_bytes():
        return None
    if ours.suffix == ".cubin":
        return "%s: %s" % (ours.name, differing_sections(theirs.read_bytes(), ours.read_bytes()))
    return "%s differs" % ours.name
