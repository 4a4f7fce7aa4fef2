#!/usr/bin/env python3
"""Damaged inputs, linked by culd and by nvlink.

    mutants.py [--seconds N | --count N] [--seed S] [--jobs N] [--keep FOLDER]
               [--filter TEXT] [--single] [--culd PATH] [--objects FOLDER]

Cubins, fatbins, host objects and archives of all targets, damaged in one or
more places (tests/fuzz/mutate.py). A finding is: culd ends by a signal, runs
over 10 seconds or needs more than 1 GiB; it links what nvlink refuses or dies
on; both link, and the bytes differ. That culd refuses what nvlink links is
none: nvlink reads past ends and leaves damaged inputs out without a word.
Findings are reduced to what they need and put together by their cause;
known_mutants.py says which are meant, and why. Where the link differs without
the damage, too, the mutant must differ in the same sections. --objects: the
inputs are the files of a folder, as for systematic.py.
"""
import argparse
import collections
import multiprocessing
import os
import re
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
TESTS = HERE.parent
sys.path[:0] = [str(HERE), str(TESTS), str(TESTS / "fuzz")]

from containers import archive, fatbin, host_object                 # noqa: E402
from known_mutants import known, known_undamaged                    # noqa: E402
from linkcase import load_cases                                     # noqa: E402
from mutate import Link, Mutant, Mutator, stored_links, whole       # noqa: E402
from newer_targets import newer_links                               # noqa: E402
from rebuild import Toolkit                                         # noqa: E402
from run import smaller_mutants                                     # noqa: E402
from section_difference import differing_names, differing_sections  # noqa: E402
from seeds import fixture_links                                     # noqa: E402

ROOT = TESTS.parent
SECONDS, MEMORY = 10, 1 << 30
MESSAGE = re.compile(r"^(?:culd|nvlink) (?:fatal|error) +: (.*)", re.MULTILINE)
COPIED = re.compile(r"Kernel '(.*)' is copied as it came")
PACKINGS = ("fatbin", "object", "archive")


# ---- what is damaged ----

def packed(link, number):
    """The link with its cubins inside of other files."""
    packing = PACKINGS[number % len(PACKINGS)]
    compression = ("", "lz4", "", "zstd")[number % 4]
    files = {}
    for name, image in link.files.items():
        container = fatbin.pack([fatbin.elf(link.target[3:], image, compression)])
        stem = Path(name).stem
        if packing == "fatbin":
            files[stem + ".fatbin"] = container
        else:
            files[stem + ".o"] = host_object.make(container, "id_" + stem, references=None)
    if packing == "archive":
        files = {"lib.a": archive.pack([(name, data) for name, data in files.items()])}
    return Link("%s in %s %s" % (link.name, packing, compression), link.target, files, link.options, link.images)


def stored_containers():
    """The stored links with other files than cubins, and the example."""
    for case in load_cases():
        for target in case.targets:
            files = case.input_files(target)
            if files and not case.command and not case.differs and not case.files and list(files) == case.inputs and all(
                    data[:4] in (b"\x7fELF", b"!<ar", b"\x50\xed\x55\xba") for data in files.values()) and any(
                    not name.endswith(".cubin") for name in files) and sum(map(len, files.values())) < 100000:
                yield Link(case.name, target, files, list(case.options))
    example = {name: (ROOT / "examples" / name).read_bytes() for name in ("kernels.o", "libparts.a")}
    for target in ("sm_75", "sm_80", "sm_90"):
        yield Link("example", target, example, [])


def links_of_objects(folder):
    """Each file of a folder alone, and every third cubin inside of another file."""
    paths = sorted(Path(folder).glob("*-*.*"))
    links = [Link(path.name, "sm_" + path.stem.rpartition("-")[2], {path.name: path.read_bytes()}, []) for path in paths]
    cubins = [link for link in links if link.name.endswith(".cubin")]
    return links + [packed(link, number) for number, link in enumerate(cubins[::3])]


def all_links(folder, jobs, text):
    newer = [Link(*link) for link in newer_links(Path(folder) / "newer", every=2, jobs=jobs)]
    cubins = [link for link in stored_links() + newer + 20 * list(fixture_links())
              if all(map(whole, link.files.values()))]
    links = cubins + [packed(link, number) for number, link in enumerate(cubins[::3])] + 10 * list(stored_containers())
    return [link for link in links if text in link.name + "@" + link.target]


# ---- both linkers ----

class Outcome:
    def __init__(self, status, said, output):
        self.status, self.said, self.output = status, said, output

    def complaint(self):
        found = MESSAGE.search(self.said)
        return re.sub(r"'.*?'|0x[0-9a-f]+|\d+", "#", found.group(1)) if found else ""


def limit_memory():
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


def limit_nvlink():
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_AS, (16 << 30, 16 << 30))
    resource.setrlimit(resource.RLIMIT_FSIZE, (256 << 20, 256 << 20))


def run(command, folder, limit):
    output = Path(folder) / "out.cubin"
    output.unlink(missing_ok=True)
    try:
        done = subprocess.run(command, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                              stderr=subprocess.PIPE, timeout=SECONDS, preexec_fn=limit)
        status, said = done.returncode, done.stderr.decode("latin-1")
    except subprocess.TimeoutExpired:
        status, said = None, ""
    return Outcome(status, said, output.read_bytes() if output.exists() else None)


class Finding(str):
    """What is wrong, in words that are the same for the same cause."""
    sections = None          # names of those that differ, where that is all

    def is_part_of(self, other):
        """Is there nothing in it that is not in the other one?"""
        if other is None or not self.sections or not other.sections:
            return self == other
        return self.sections <= other.sections

    def without(self, other):
        """What is not in the other one."""
        rest = Finding(self)
        rest.sections = self.sections and self.sections - (other.sections or set() if other else set())
        return rest


class Judge:
    """Links mutants with both, and says what is wrong."""

    def __init__(self, culd, nvlink, folder):
        self.culd, self.nvlink, self.folder = culd, nvlink, Path(folder)
        self.before = {}

    def write(self, mutant):
        for name, data in mutant.files().items():
            (self.folder / name).parent.mkdir(parents=True, exist_ok=True)
            (self.folder / name).write_bytes(data)
        return mutant.arguments()

    def undamaged(self, mutant):
        """The finding of the link without damage, or None."""
        link = mutant.link
        key = link.name, link.target, tuple(link.files), tuple(link.options), tuple(mutant.options)
        if key not in self.before:
            self.before[key] = self.finding(Mutant(link, {}, mutant.options))
        return self.before[key]

    def copied_kernels(self, mutant):
        """Those that culd says it copied, in the link without damage."""
        arguments = self.write(Mutant(mutant.link, {}, mutant.options))
        done = subprocess.run([self.culd, "-v"] + arguments, cwd=self.folder, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        return set(COPIED.findall(done.stdout.decode("latin-1")))

    def why_undamaged(self, mutant):
        """Why the link without damage may differ, or None."""
        plain = Mutant(mutant.link, {}, mutant.options)
        own, other = self.outcome(plain)
        outputs = other and other.output, own.output
        return known_undamaged(mutant.link, mutant.options, self.undamaged(mutant), outputs,
                               self.copied_kernels(mutant))

    def why(self, mutant, finding):
        """Why the finding is none, or None."""
        own, other = self.outcome(mutant)
        return known(mutant, finding, (other and other.output, own.output))

    def outcome(self, mutant):
        arguments = self.write(mutant)
        own = run([self.culd, "--identify-as=nvlink"] + arguments, self.folder, limit_memory)
        if own.status not in (0, 1, 255) or "ut of memory" in own.said:
            return own, None
        return own, run([self.nvlink] + arguments, self.folder, limit_nvlink) if own.status == 0 else None

    def finding(self, mutant):
        """None, or a Finding."""
        own, other = self.outcome(mutant)
        words = self.words(own, other)
        found = words and Finding(words)
        if found and own.output and other and other.output:
            found.sections = differing_names(other.output, own.output)
        return found

    @staticmethod
    def words(own, other):
        if own.status is None:
            return "culd: runs too long"
        if own.status not in (0, 1, 255):
            return "culd: status %d" % own.status
        if own.status and "ut of memory" in own.said:
            return "culd: needs too much memory"
        if own.status:
            return None if own.complaint() else "culd: no message"
        if other.status is None:
            return "nvlink runs too long, culd links"
        if other.status < 0:
            return "nvlink dies, culd links"
        if other.status:
            return "nvlink refuses, culd links: " + other.complaint()
        if other.output == own.output:
            return None
        return "bytes: " + ("nvlink wrote nothing" if other.output is None else
                            differing_sections(other.output, own.output))


def reduced(judge, mutant, finding):
    kind, again = finding.split(":")[0], True
    while again:
        again = False
        for smaller in smaller_mutants(mutant):
            now = judge.finding(smaller)
            if now and now.split(":")[0] == kind and not now.is_part_of(judge.undamaged(smaller)):
                mutant, finding, again = smaller, now, True
                break
    return mutant, finding


def settled(judge, mutant, finding):
    """(the mutant made small, its finding, why it is meant or None)"""
    before = judge.undamaged(mutant)
    if finding.is_part_of(before):
        return Mutant(mutant.link, {}, mutant.options), before, judge.why_undamaged(mutant)
    small, finding = reduced(judge, mutant, finding)
    return small, finding, judge.why(small, finding.without(judge.undamaged(small)))


def cause(mutant, finding):
    edits = sorted({re.sub(r"0x[0-9a-f]+", "#", edit.what) for own in mutant.edits.values() for edit in own})
    newer = "newer " if int(re.search(r"\d+", mutant.link.target).group()) >= 100 else ""
    return "%s%s | %s | %s" % (newer, finding, " + ".join(edits), " ".join(mutant.options))


def keep(folder, name, mutant, finding):
    place = Path(folder) / name
    place.mkdir(parents=True, exist_ok=True)
    for file, data in mutant.files().items():
        (place / file).parent.mkdir(parents=True, exist_ok=True)
        (place / file).write_bytes(data)
    (place / "about.txt").write_text("%s\n%s\n" % (finding, mutant.describe()))


# ---- the run ----

def work(worker, options, links, end, queue):
    counts, found = collections.Counter(), []
    memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    with tempfile.TemporaryDirectory(prefix="culd-mutants-", dir=memory) as folder:
        judge, mutator = Judge(options.culd, options.nvlink, folder), Mutator(links, options.seed, options.single)
        number = options.first + worker
        while number < options.first + options.count and time.monotonic() < end:
            mutant = mutator.mutant(number)
            finding = judge.finding(mutant)
            counts["mutants"] += 1
            if finding and judge.finding(mutant):       # nvlink dies at random on some
                found.append((number, *settled(judge, mutant, finding)))
            number += options.jobs
    queue.put((counts, found))


def report(options, counts, found):
    groups = collections.defaultdict(list)
    meant = collections.Counter()
    for number, mutant, finding, reason in sorted(found, key=lambda item: item[0]):
        if reason:
            meant[reason] += 1
            continue
        groups[cause(mutant, finding)].append((number, mutant))
        if options.keep:
            keep(options.keep, str(number), mutant, finding)
    for reason, count in meant.most_common():
        print("%5d meant: %s" % (count, reason))
    for text, mutants in sorted(groups.items(), key=lambda item: -len(item[1])):
        print("%5d %s  [%s %s]" % (len(mutants), text, mutants[0][0], mutants[0][1].link.name))
    unmeant = sum(map(len, groups.values()))
    print("%d mutants, %d findings of %d kinds, %d differences that are meant" % (
        counts["mutants"], unmeant, len(groups), sum(meant.values())))
    return 1 if unmeant else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--culd", default=os.environ.get("CULD", str(ROOT / "build" / "culd")))
    parser.add_argument("--seconds", type=float)
    parser.add_argument("--count", type=int, default=None)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--first", type=int, default=0, metavar="N")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--keep", metavar="FOLDER")
    parser.add_argument("--filter", default="", metavar="TEXT")
    parser.add_argument("--single", action="store_true", help="one edit each, and no options")
    parser.add_argument("--cache", default=str(ROOT / "build" / "newer"), help="cases compiled for newer targets")
    parser.add_argument("--objects", metavar="FOLDER")
    options = parser.parse_args()
    options.nvlink, options.culd = Toolkit().nvlink, os.path.abspath(options.culd)
    if not options.nvlink:
        print("no nvlink\n0 passed, 0 failed, 1 skipped")
        return 0
    if options.count is None:
        options.count = 1 << 40 if options.seconds else 1000
    links = links_of_objects(options.objects) if options.objects else all_links(
        options.cache, options.jobs, options.filter)
    end = time.monotonic() + (options.seconds or 1e9)
    queue = multiprocessing.Queue()
    workers = [multiprocessing.Process(target=work, args=(worker, options, links, end, queue))
               for worker in range(options.jobs)]
    for worker in workers:
        worker.start()
    results = [queue.get() for _ in workers]
    for worker in workers:
        worker.join()
    return report(options, sum((counts for counts, _ in results), collections.Counter()),
                  [item for _, found in results for item in found])


if __name__ == "__main__":
    sys.exit(main())
