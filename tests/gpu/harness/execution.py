"""Runs both builds of a program on the GPU, and NVIDIA's tools on what culd wrote."""
import os
import re

from harness.process import run

RUN_LIMIT, READ_LIMIT = 60, 60
SANITIZER_STATUS = 99
NUMBER = re.compile(r"[-+]?(?:nan|inf|\d[\d.,]*(?:e[-+]?\d+)?)%?", re.IGNORECASE)
ADDRESS = re.compile(r"0x[0-9a-f]+", re.IGNORECASE)

# Each reads one cubin; what it writes to stderr, or a status other than 0, is a complaint.
READERS = (("cuobjdump", "-sass"), ("cuobjdump", "-elf"), ("cuobjdump", "-res-usage"),
           ("nvdisasm", "-c"), ("nvdisasm", "-g"))


def execute(folder, arguments, before=(), limit=RUN_LIMIT, **environment):
    """Runs `program` where it was built. Code that the driver would have to compile from PTX is not
    what was linked, so it may not."""
    settings = dict(os.environ, CUDA_DISABLE_PTX_JIT="1", **environment)
    settings["LD_LIBRARY_PATH"] = os.pathsep.join(
        [str(folder), os.environ.get("LD_LIBRARY_PATH", "")])
    done = run([*before, str(folder / "program"), *arguments], folder, limit, settings)
    # Some programs print their own path.
    return done._replace(output=done.output.replace(str(folder), "."),
                         errors=done.errors.replace(str(folder), "."))


def comparable(done, numbers_vary):
    """The result in the form in which two runs are compared."""
    if not numbers_vary:
        return done
    return done._replace(output=without_numbers(done.output), errors=without_numbers(done.errors))


def without_numbers(text):
    """Lines in alphabetical order, with N for every number and one blank for many."""
    lines = NUMBER.sub("N", ADDRESS.sub("N", text)).splitlines()
    return "\n".join(sorted(" ".join(line.split()) for line in lines))


def expected_output(program, theirs):
    """The result of nvlink's build."""
    return comparable(execute(theirs, program.arguments), program.numbers_vary)


def differing_output(program, theirs, ours, expected):
    """What differs between running nvlink's build and culd's, or None."""
    got = comparable(execute(ours, program.arguments), program.numbers_vary)
    if expected.status != 0:
        return "fails with nvlink, too: status %d\n%s%s" % expected
    if expected == got:
        return None
    varies = expected_output(program, theirs) != expected
    for what, one, other in zip(("status", "stdout", "stderr"), expected, got):
        if one != other:
            return "%s%s with nvlink:\n%s\nwith culd:\n%s" % (
                "varies by itself; " if varies else "", what, one, other)


def sanitized(tools, checks, program, folder):
    """What compute-sanitizer finds, or None. All code is loaded at the start."""
    for check in checks.split(","):
        before = [tools.sanitizer, "--tool", check, "--error-exitcode", str(SANITIZER_STATUS)]
        done = execute(folder, program.arguments, before, 2 * RUN_LIMIT,
                       CUDA_MODULE_LOADING="EAGER")
        if done.status != 0:
            return "compute-sanitizer, %s: status %d\n%s%s" % (check, *done)
    return None


def sanitizer_verdict(tools, checks, program, theirs, ours):
    """Words for the table, and the problem or None."""
    if not tools.sanitizer or not program.sanitizer:
        return "not run", None
    if sanitized(tools, checks, program, theirs):
        return "not clean with nvlink", None
    found = sanitized(tools, checks, program, ours)
    return ("errors", found) if found else ("clean", None)


def reader_verdict(tools, cubins):
    """Words for the table, and the first complaint of a tool about a cubin of culd's that it does not
    have about nvlink's, or None."""
    if not cubins or not any(tools.find(tool) for tool, _ in READERS):
        return "not run", None
    for tool, option in READERS:
        path = tools.find(tool)
        for ours, theirs in cubins if path else ():
            done = run([path, option, str(ours)], ours.parent, READ_LIMIT)
            if done.status == 0 and not done.errors:
                continue
            same = run([path, option, str(theirs)], theirs.parent, READ_LIMIT)
            if (same.status, same.errors) != (done.status, done.errors.replace("culd.", "nvlink.")):
                return "complain", "%s %s %s: %s" % (tool, option, ours.name, done.errors.strip())
    return "fine", None
