"""Instructions, CPU time and memory of one command."""
import collections
import re
import subprocess

# Seconds of user and system time, of wall time; kilobytes at the peak, mapped
# files included, and without them (0 unless asked for); page faults.
Usage = collections.namedtuple("Usage",
                               "seconds wall kilobytes own_kilobytes faults")

COLLECTED = re.compile(r"Collected : (\d+)")
STATUS_LATE = 257


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


class Launcher:
    """Runs commands by bench/programs/launch.c."""

    def __init__(self, program):
        self.program = str(program)

    def run(self, command, folder, limit=0, looks_at_memory=False, output=None):
        """Usage of the command; None if it took longer than `limit` seconds."""
        options = ["-t", str(limit)] if limit else []
        options += ["-m"] if looks_at_memory else []
        options += ["-o", output] if output else []
        result = subprocess.run([self.program, *options, *command], cwd=folder,
                                text=True, errors="replace",
                                stdin=subprocess.DEVNULL,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        if result.returncode:
            raise Failed(f"{self.program}: {result.stderr[-2000:]}")
        status, user, system, wall, peak, own, faults = map(
            int, result.stdout.split())
        if status == STATUS_LATE:
            return None
        if status:
            raise Failed(f"{command[0]}: status {status}\n"
                         f"{result.stderr[-2000:]}")
        return Usage((user + system) / 1e6, wall / 1e6, peak, own, faults)
