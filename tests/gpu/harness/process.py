"""Running commands within a time limit."""
import os
import signal
import subprocess
from collections import namedtuple

Done = namedtuple("Done", "status output errors")
TIMED_OUT = -1000


def run(command, folder, limit, environment=None, shell=False):
    """Status and streams of a command; a command past its limit is ended with all it started."""
    with subprocess.Popen(command, cwd=folder, shell=shell, env=environment,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, start_new_session=True) as process:
        try:
            output, errors = process.communicate(timeout=limit)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            output, errors = process.communicate()
            return Done(TIMED_OUT, text(output), text(errors) + "took longer than %d s\n" % limit)
    return Done(process.returncode, text(output), text(errors))


def text(data):
    return data.decode("utf-8", "replace")
