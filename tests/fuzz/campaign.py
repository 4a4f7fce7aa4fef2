#!/usr/bin/env python3
"""Run all in-process fuzzers side by side for a while and say what came of it.

    campaign.py --folder BUILT --out FOLDER [--seconds N] [--jobs N]

BUILT is what build.sh made. Each fuzzer gets its share (targets.txt) of the
processes; one that finds something goes on with what is left of its time. OUT
gets summary.txt, the findings with their reports, and findings.tar.gz with both.
"""
import argparse
import os
import re
import shutil
import subprocess
import sys
import tarfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

TARGETS = Path(__file__).resolve().parent / "targets.txt"
LIMITS = ["-timeout=10", "-rss_limit_mb=1024", "-malloc_limit_mb=1024", "-max_len=60000", "-print_final_stats=1",
          "-reload=1", "-use_value_profile=0"]
ENVIRONMENT = dict(os.environ, ASAN_OPTIONS="detect_leaks=1:allocator_may_return_null=1",
                   UBSAN_OPTIONS="print_stacktrace=1")


def slots():
    """One entry for each process: the target and the process's number."""
    for line in TARGETS.read_text().splitlines():
        if line and not line.startswith("#"):
            name, _, share = line.split()
            yield from ((name, number) for number in range(int(share)))


class Process:
    """The runs of one fuzzer, one after the other, until its time is over."""

    def __init__(self, built, out, target, number):
        self.built, self.out, self.target = Path(built), Path(out), target
        self.name = "%s-%d" % (target, number)
        self.seed = 1 + number
        self.executions = self.runs = self.edges = self.all_edges = 0
        self.reports = []

    def command(self, seconds):
        corpus = self.out / ("corpus-" + self.target)
        corpus.mkdir(parents=True, exist_ok=True)
        seeds = self.built / ("seeds-" + self.target)
        return [str(self.built / ("fuzz_" + self.target)), "-max_total_time=%d" % seconds, *LIMITS,
                "-seed=%d" % (self.seed + 1000 * self.runs), "-artifact_prefix=%s/" % self.findings(), str(corpus),
                *([str(seeds)] if seeds.exists() else [])]

    def findings(self):
        place = self.out / "findings" / self.target
        place.mkdir(parents=True, exist_ok=True)
        return place

    def run(self, seconds):
        end = time.monotonic() + seconds
        while time.monotonic() < end - 1 and self.runs < 300:
            log = self.out / (self.name + ".log")
            with open(log, "wb") as file:
                done = subprocess.run(self.command(max(1, int(end - time.monotonic()))), stdin=subprocess.DEVNULL,
                                      stdout=file, stderr=file, env=ENVIRONMENT)
            self.runs += 1
            self.read_log(log.read_text(errors="replace"), done.returncode)
        return self

    def read_log(self, text, status):
        for count in re.findall(r"stat::number_of_executed_units: (\d+)", text)[-1:]:
            self.executions += int(count)
        if not re.search(r"stat::number_of_executed_units", text):
            self.executions += max([int(n) for n in re.findall(r"^#(\d+)\t", text, re.MULTILINE)] or [0])
        self.edges = max([self.edges] + [int(n) for n in re.findall(r" cov: (\d+)", text)])
        self.all_edges = max([0] + [int(n) for n in re.findall(r"\((\d+) inline 8-bit counters\)", text)])
        if status:
            start = re.search(r"^==\d+== ?ERROR|runtime error|BROKEN PROMISE|ALARM", text, re.MULTILINE)
            report = text[start.start() if start else -4000:][:6000]
            kind = re.search(r"SUMMARY: (.*)|BROKEN PROMISE: (.*)", report)
            artifact = re.search(r"Test unit written to (\S+)", text)
            self.reports.append((kind.group(0) if kind else "status %d" % status,
                                 Path(artifact.group(1)).name if artifact else "-", report))


def summary(processes, seconds):
    lines = ["%-12s %9s %14s %18s %9s" % ("fuzzer", "processes", "executions", "edges", "findings")]
    total = 0
    for target in dict.fromkeys(p.target for p in processes):
        own = [p for p in processes if p.target == target]
        executions = sum(p.executions for p in own)
        total += executions
        lines.append("%-12s %9d %14d %8d of %6d %9d" % (
            target, len(own), executions, max(p.edges for p in own), max(p.all_edges for p in own),
            sum(len(p.reports) for p in own)))
    lines.append("%d executions in %.2f CPU-hours" % (total, seconds * len(processes) / 3600))
    kinds = {}
    for process in processes:
        for kind, artifact, _ in process.reports:
            kinds.setdefault((process.target, kind), []).append(artifact)
    for (target, kind), artifacts in sorted(kinds.items()):
        lines.append("%4d x %s: %s (%s)" % (len(artifacts), target, kind, artifacts[0]))
    return "\n".join(lines + ["%d kinds of findings" % len(kinds)]) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--folder", required=True)
    parser.add_argument("--out", required=True)
    parser.add_argument("--seconds", type=int, default=300)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--no-corpus", action="store_true", help="do not keep what reached new edges")
    options = parser.parse_args()
    out = Path(options.out).resolve()
    out.mkdir(parents=True, exist_ok=True)
    processes = [Process(Path(options.folder).resolve(), out, *slot) for slot in slots()]
    each = max(2, options.seconds * min(options.jobs, len(processes)) // len(processes))
    with ThreadPoolExecutor(options.jobs) as pool:
        list(pool.map(lambda process: process.run(each), processes))
    text = summary(processes, each)
    (out / "summary.txt").write_text(text)
    for process in processes:
        for number, (_, artifact, report) in enumerate(process.reports):
            (process.findings() / ("%s-%d-%s.txt" % (process.name, number, artifact))).write_text(report)
    with tarfile.open(out / "findings.tar.gz", "w:gz") as tar:
        tar.add(out / "summary.txt", "summary.txt")
        if (out / "findings").exists():
            tar.add(out / "findings", "findings")
    for corpus in out.glob("corpus-*") if options.no_corpus else ():
        shutil.rmtree(corpus)
    print(text, end="")
    return 1 if any(process.reports for process in processes) else 0


if __name__ == "__main__":
    sys.exit(main())
