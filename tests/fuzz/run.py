#!/usr/bin/env python3
"""Link damaged inputs with culd until something goes wrong that must not.

    run.py [--culd PATH] [--seconds N | --count N] [--seed N] [--first N]
           [--keep FOLDER] [--filter TEXT]

A build with sanitizers finds most (-DCULD_SANITIZE=address,undefined). Every
mutant (mutate.py) must end within seconds and some memory: with 0 and a whole
output, or with 1 or 255, a message, and the earlier output file untouched.
Findings are put together by their call stack; --keep saves the first of each,
with the edits left out that it does not need.
"""
import argparse
import hashlib
import os
import re
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from mutate import Link, Mutant, Mutator, stored_links         # noqa: E402
from wellformed import problem_of                               # noqa: E402

ROOT = Path(__file__).resolve().parent.parent.parent
DEFAULT_CULD = os.environ.get("CULD", str(ROOT / "build" / "culd"))
EARLIER = b"an earlier output\n"
SECONDS = 10
MEMORY = 1 << 30
SANITIZER_STATUS = 99
ENVIRONMENT = {
    "PATH": os.environ.get("PATH", ""),
    "LC_ALL": "C",
    "ASAN_OPTIONS": "exitcode=%d:hard_rss_limit_mb=1024:"
                    "allocator_may_return_null=1" % SANITIZER_STATUS,
    "UBSAN_OPTIONS": "exitcode=%d:print_stacktrace=1" % SANITIZER_STATUS,
}

MESSAGE = re.compile(r"^(culd|nvlink) (fatal|error) +: .*\S", re.MULTILINE)
REPORT = re.compile(r"ERROR: (?:\w+Sanitizer): ([\w-]+)|"
                    r"runtime error: (.*)|hard rss limit exhausted|"
                    r"(LeakSanitizer): ")
FRAME = re.compile(r"^ *#\d+ 0x[0-9a-f]+ in (\w+) .*?/src/([\w/.]+:\d+)",
                   re.MULTILINE)


class Outcome:
    """How one link ended; `finding` names what is wrong, None: nothing."""

    def __init__(self, status, said, output):
        self.status, self.said, self.output = status, said, output
        self.finding = self.judge()

    def judge(self):
        if self.status is None:
            return "timeout"
        report = REPORT.search(self.said)
        if report or self.status == SANITIZER_STATUS:
            return self.report_name(report)
        if self.status < 0:
            return "signal %d" % -self.status
        if self.status not in (0, 1, 255):
            return "exit status %d" % self.status
        if self.status == 0:
            return self.judge_output()
        if self.output != EARLIER:
            return "failure touched the output"
        if not MESSAGE.search(self.said):
            return "failure without a message"
        return None

    def judge_output(self):
        if self.output is None or self.output == EARLIER:
            return "success without an output"
        problem = problem_of(self.output)
        return problem and "bad output: " + problem

    def report_name(self, report):
        kind = "sanitizer"
        if report:
            kind = next((g for g in report.groups() if g), "memory limit")
        kind = re.sub(r"0x[0-9a-f]+|-?\d{2,}", "N", kind)
        frames = ["%s %s" % frame for frame in FRAME.findall(self.said)]
        return "%s: %s" % (kind, " < ".join(frames[:3]))


class Runner:
    def __init__(self, culd, folder):
        self.culd, self.folder = culd, Path(folder)
        self.is_sanitized = b"__asan_init" in Path(culd).read_bytes()

    def limit(self):
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        if not self.is_sanitized:       # whose shadow needs terabytes
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))

    def run(self, mutant):
        for name, data in mutant.files().items():
            (self.folder / name).parent.mkdir(parents=True, exist_ok=True)
            (self.folder / name).write_bytes(data)
        output = self.folder / "out.cubin"
        output.write_bytes(EARLIER)
        try:
            done = subprocess.run(
                [self.culd] + mutant.arguments(), cwd=self.folder,
                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE, timeout=SECONDS, env=ENVIRONMENT,
                preexec_fn=self.limit)
            status, said = done.returncode, done.stderr
        except subprocess.TimeoutExpired as expired:
            status, said = None, expired.stderr or b""
        written = output.read_bytes() if output.exists() else None
        return Outcome(status, said.decode("latin-1"), written)


def smaller_mutants(mutant):
    """The mutant without one of its parts, each in turn."""
    for name, edits in mutant.edits.items():
        for index in range(len(edits)):
            fewer = dict(mutant.edits)
            fewer[name] = edits[:index] + edits[index + 1:]
            yield Mutant(mutant.link, fewer, mutant.options)
    link = mutant.link
    for name in link.files:
        if len(link.files) > 1:
            files = {k: v for k, v in link.files.items() if k != name}
            edits = {k: v for k, v in mutant.edits.items() if k != name}
            yield Mutant(Link(link.name, link.target, files, link.options),
                         edits, mutant.options)
    if mutant.options:
        yield Mutant(link, mutant.edits, [])
    if link.options:
        yield Mutant(Link(link.name, link.target, link.files, []),
                     mutant.edits, mutant.options)


def reduce(runner, mutant, finding):
    """Leave out parts as long as the finding stays."""
    again = True
    while again:
        again = False
        for smaller in smaller_mutants(mutant):
            if runner.run(smaller).finding == finding:
                mutant, again = smaller, True
                break
    return mutant


def keep(folder, finding, mutant, outcome):
    name = re.sub(r"\W+", "-", finding)[:60].strip("-")
    name += "-" + hashlib.sha1(finding.encode()).hexdigest()[:6]
    place = Path(folder) / name
    place.mkdir(parents=True, exist_ok=True)
    for file, data in mutant.files().items():
        (place / file).write_bytes(data)
    (place / "about.txt").write_text(
        "%s\n%s\n\n%s\n" % (finding, mutant.describe(), outcome.said[:6000]))
    return place


def fuzz(options, runner, mutator):
    """Finding -> how often; prints each when it comes first."""
    findings, statuses, number = {}, {}, options.first
    end = time.monotonic() + options.seconds if options.seconds else None
    while (time.monotonic() < end if end
           else number < options.first + options.count):
        mutant = mutator.mutant(number)
        outcome = runner.run(mutant)
        statuses[outcome.status] = statuses.get(outcome.status, 0) + 1
        finding = outcome.finding
        if finding:
            findings[finding] = findings.get(finding, 0) + 1
        if finding and findings[finding] == 1:
            print("mutant %d: %s" % (number, finding), flush=True)
            if options.keep:
                small = reduce(runner, mutant, finding)
                print("  kept as", keep(options.keep, finding, small,
                                        runner.run(small)), flush=True)
        number += 1
    print("%d links; exit statuses: %s" % (
        number - options.first, ", ".join(
            "%s %d times" % item for item in sorted(
                statuses.items(), key=lambda item: -item[1]))))
    return findings


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--culd", default=DEFAULT_CULD)
    parser.add_argument("--seconds", type=float, default=0)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--first", type=int, default=0, metavar="N")
    parser.add_argument("--keep", metavar="FOLDER")
    parser.add_argument("--filter", default="", metavar="TEXT")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="culd-fuzz-") as folder:
        findings = fuzz(options, Runner(os.path.abspath(options.culd), folder),
                        Mutator(stored_links(options.filter), options.seed))
    for finding, count in sorted(findings.items(), key=lambda f: -f[1]):
        print("%6d  %s" % (count, finding))
    print("%d kinds of findings" % len(findings))
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
