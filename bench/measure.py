"""Instructions, CPU time and memory of one command."""
import collections
import os
import re
import resource
import subprocess
import tempfile
import time

Usage = collections.namedtuple("Usage", "seconds kilobytes")

COLLECTED = re.compile(r"Collected : (\d+)")


class Failed(Exception):
    pass


def instructions(command, folder):
    """How many instructions the command executes, as callgrind counts them."""
    result = subprocess.run(
        ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null"]
        + command, cwd=folder, text=True, errors="replace",
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE)
    found = COLLECTED.search(result.stderr)
    if result.returncode or not found:
        raise Failed(f"{command[0]} under callgrind: status "
                     f"{result.returncode}\n{result.stderr[-2000:]}")
    return int(found.group(1))


def usage(command, folder, limit=None):
    """CPU time and peak memory of the command; None past `limit` seconds."""
    with tempfile.TemporaryFile() as messages:
        process = subprocess.Popen(command, cwd=folder, stdin=subprocess.DEVNULL,
                                   stdout=messages, stderr=messages)
        status, resources = wait(process, limit)
        if status is None:
            return None
        if status:
            messages.seek(0)
            text = messages.read()[:2000].decode(errors="replace")
            raise Failed(f"{command[0]}: status {status}\n{text}")
    return Usage(resources.ru_utime + resources.ru_stime, peak_memory(resources))


def peak_memory(resources):
    """None where it cannot be told: what the process held before it became the
    command, that is what this script holds, counts too."""
    own = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    peak = resources.ru_maxrss
    return peak if peak > own * 1.05 else None


def wait(process, limit):
    """(exit status, resources); the status is None for a command cut short."""
    is_late = limit is not None and not ends_within(process, limit)
    if is_late:
        process.kill()
    _, status, resources = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return (None if is_late else process.returncode), resources


def ends_within(process, limit):
    """Polls: no wait with a timeout leaves the resources readable."""
    end = time.monotonic() + limit
    while time.monotonic() < end:
        if os.waitid(os.P_PID, process.pid,
                     os.WEXITED | os.WNOWAIT | os.WNOHANG):
            return True
        time.sleep(0.005)
    return False
