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
    return run([*before, str(folder / "program"), *arguments], folder, limit, settings)


def comparable(done, numbers_vary):
    """The result in the form in which two runs are compared."""
    if not numbers_vary:
        return done
    return done._replace(output=without_numbers(done.output), errors=without_numbers(done.errors))


def without_numbers(text):
    """Lines in alphabetical order, with N for every number."""
    return "\n".join(sorted(NUMBER.sub("N", ADDRESS.sub("N", text)).splitlines()))


def differing_output(program, theirs, ours):
    """What differs between running nvlink's build and culd's, or None."""
    expected = comparable(execute(theirs, program.arguments), program.numbers_vary)
    got = comparable(execute(ours, program.arguments), program.numbers_vary)
    if expected == got:
        return None
    for what, one, other in zip(("status", "stdout", "stderr"), expected, got):
        if one != other:
            return "%s with nvlink:\n%s\nwith culd:\n%s" % (what, one, other)


def sanitized(tools, program, folder):
    """Whether compute-sanitizer finds nothing, and what it says. All code is loaded at the start."""
    before = [tools.sanitizer, "--tool", "memcheck", "--error-exitcode", str(SANITIZER_STATUS)]
    done = execute(folder, program.arguments, before, 2 * RUN_LIMIT, CUDA_MODULE_LOADING="EAGER")
    return done.status == 0 and "ERROR SUMMARY: 0 errors" in done.output, done.output + done.errors


def sanitizer_verdict(tools, program, theirs, ours):
    """(clean, None) or (words for the table, the problem)."""
    if not tools.sanitizer or not program.sanitizer:
        return "not run", None
    clean, _ = sanitized(tools, program, theirs)
    if not clean:
        return "not clean with nvlink", None
    clean, words = sanitized(tools, program, ours)
    return ("clean", None) if clean else ("errors", "compute-sanitizer: %s" % words)


def complaint(tools, cubins):
    """The first complaint of a tool about a cubin of culd's that it does not have about nvlink's."""
    for tool, option in READERS:
        path = tools.find(tool)
        for ours, theirs in cubins if path else ():
            done = run([path, option, str(ours)], ours.parent, READ_LIMIT)
            if done.status == 0 and not done.errors:
                continue
            same = run([path, option, str(theirs)], theirs.parent, READ_LIMIT)
            if (same.status, same.errors) != (done.status, done.errors.replace("culd.", "nvlink.")):
                return "%s %s %s: %s" % (tool, option, ours.name, done.errors.strip())
    return None
