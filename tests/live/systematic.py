#!/usr/bin/env python3
"""Every place of the inputs, damaged once: about a thousand links a second.

    systematic.py [--seconds N] [--seed S] [--jobs N] [--keep FOLDER] [--filter TEXT]
                  [--from N] [--below N] [--code N] [--build FOLDER] [--objects FOLDER]

mutants.py changes what has a meaning, in many ways; this program changes one bit, byte, word or block at any
place, or cuts the file there. culd links through the library, in the process of the worker (systematic/, which
is built here); nvlink is started for what culd links. A finding is what mutants.py calls one. Each is linked once
more by both commands, told by what stands at its place, and left out where known_mutants.py says why it is meant.

--from and --below choose targets by number (--below 100: those before Blackwell). Places in code are tried once
in --code times, for most of them are copied as they are. --objects: each file of a folder, NAME-TARGET.cubin or
the like (TARGET: 100a), is linked alone in place of the stored inputs, and some cubins inside of other files.
"""
import argparse
import collections
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
TESTS = HERE.parent
sys.path[:0] = [str(HERE), str(TESTS), str(TESTS / "fuzz")]

from damaged_places import first_damage                             # noqa: E402
from edits import Edit                                              # noqa: E402
from mutants import Judge, all_links, keep, links_of_objects        # noqa: E402
from mutate import Link, Mutant                                     # noqa: E402
from rebuild import Toolkit                                         # noqa: E402

ROOT = TESTS.parent


# ---- the list of links ----

def number_of(target):
    return int(re.search(r"\d+", target).group())


def chosen_links(options):
    links = links_of_objects(options.objects) if options.objects else all_links(
        options.cache, options.jobs, options.filter)
    unique = {(link.name, link.target): link for link in links if options.from_ <= number_of(link.target) < options.below}
    return list(unique.values())


def write_list(folder, links):
    """The files of all links, and the list that the workers read."""
    lines = []
    for number, link in enumerate(links):
        place = folder / "links" / str(number)
        for name, data in link.files.items():
            (place / name).parent.mkdir(parents=True, exist_ok=True)
            (place / name).write_bytes(data)
        words = ["-arch=" + link.target] + [str(place / name) for name in link.files] + link.options
        if all(re.fullmatch(r"[^\t\n]+", word) for word in words) and not any(
                option.startswith("/") for option in link.options):
            lines.append("\t".join([str(number)] + words))
    (folder / "list").write_text("\n".join(lines) + "\n")
    return folder / "list"


# ---- the workers ----

def start(worker, options, folder, list_file):
    own = folder / ("worker-%d" % worker)
    own.mkdir()
    command = [options.worker, list_file, own, options.nvlink, options.seconds, options.seed * 1000 + worker, options.code]
    return own, subprocess.Popen(list(map(str, command)), stdout=open(own / "said", "w"))


class Hit:
    """What a worker found: the link, the file of it, the kind of damage, its place, and the damaged bytes."""

    def __init__(self, number, path, kind, offset, data):
        self.number, self.path, self.kind = int(number), Path(path), kind
        self.offset, self.data = offset, data


def hits_of(own, status):
    """(hits, numbers of links tried and accepted)"""
    hits, counts, last = [], (0, 0), None
    for line in (own / "said").read_text().splitlines():
        word, *rest = line.split("\t")
        if word == "link":
            last = rest
        if word == "finding":
            number, path, kind, offset, _, saved = rest
            hits.append(Hit(number, path, kind, int(offset, 16), Path(saved).read_bytes()))
        if word == "total":
            counts = int(rest[0]), int(rest[1])
    if status and last:
        hits.append(Hit(*last, "ended by status %d" % status, 0, (own / "current").read_bytes()))
    return hits, counts


# ---- what they found ----

def difference(old, new):
    """The damage as edits."""
    if len(new) < len(old):
        return [Edit("cut", len(new), None)]
    places = [at for at, pair in enumerate(zip(old, new)) if pair[0] != pair[1]]
    return [Edit("changed", places[0], new[places[0]:places[-1] + 1])] if places else []


def settle(judge, links, hit):
    """(mutant, finding, why it is meant) or None, if both commands agree."""
    link = links[hit.number]
    name = next(name for name in link.files if str(hit.path).endswith("/links/%d/%s" % (hit.number, name)))
    mutant = Mutant(link, {name: difference(link.files[name], hit.data)}, [])
    finding = judge.finding(mutant)
    if not finding:
        return None
    where = "%s | %s: %s" % (finding, hit.kind, first_damage(link.files[name], hit.data))
    return mutant, where, judge.why(mutant, finding)


def report(options, links, hits):
    meant, groups = collections.Counter(), collections.defaultdict(list)
    with tempfile.TemporaryDirectory(prefix="culd-systematic-") as folder:
        judge = Judge(options.culd, options.nvlink, folder)
        for number, hit in enumerate(hits):
            settled = settle(judge, links, hit)
            if not settled:
                continue
            mutant, where, reason = settled
            if reason:
                meant[reason] += 1
                continue
            groups[where].append("%d %s %s" % (number, mutant.link.name, mutant.link.target))
            if options.keep:
                keep(options.keep, str(number), mutant, where)
    for reason, count in meant.most_common():
        print("%5d meant: %s" % (count, reason))
    for where, found in sorted(groups.items()):
        print("%5d %s  [%s]" % (len(found), where, found[0]))
    return sum(map(len, groups.values())), sum(meant.values())


def build_worker(options):
    subprocess.run(["cmake", "--build", options.build, "--target", "systematic"], check=True, stdout=subprocess.DEVNULL)
    return Path(options.build) / "tests" / "systematic"


def campaign(options, folder):
    links = chosen_links(options)
    list_file = write_list(folder, links)
    workers = [start(worker, options, folder, list_file) for worker in range(options.jobs)]
    hits, tried, accepted = [], 0, 0
    for own, process in workers:
        found, counts = hits_of(own, process.wait())
        hits, tried, accepted = hits + found, tried + counts[0], accepted + counts[1]
    unmeant, meant = report(options, links, hits)
    print("%d links, %d damages, %d linked by culd, %d findings, %d differences that are meant" % (
        len(links), tried, accepted, unmeant, meant))
    return 1 if unmeant else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--build", default=str(ROOT / "build"), metavar="FOLDER")
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--keep", metavar="FOLDER")
    parser.add_argument("--filter", default="", metavar="TEXT")
    parser.add_argument("--from", dest="from_", type=int, default=0, metavar="N")
    parser.add_argument("--below", type=int, default=1000, metavar="N")
    parser.add_argument("--code", type=int, default=8, metavar="N")
    parser.add_argument("--objects", metavar="FOLDER")
    options = parser.parse_args()
    options.nvlink, options.culd = Toolkit().nvlink, os.path.join(os.path.abspath(options.build), "culd")
    options.cache = str(Path(options.build) / "newer")
    if not options.nvlink:
        print("no nvlink\n0 passed, 0 failed, 1 skipped")
        return 0
    options.worker = build_worker(options)
    memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    with tempfile.TemporaryDirectory(prefix="culd-systematic-", dir=memory) as folder:
        return campaign(options, Path(folder))


if __name__ == "__main__":
    sys.exit(main())
