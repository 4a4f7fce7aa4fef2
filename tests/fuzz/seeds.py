#!/usr/bin/env python3
"""Seeds of the in-process fuzzers, from the link cases and the fixtures.

    seeds.py FOLDER         writes FOLDER/seeds-<target> for each of targets.txt

Where ptxas is installed, link cases compiled for newer targets are among them.
"""
import hashlib
import json
import struct
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
TESTS = HERE.parent
sys.path[:0] = [str(HERE), str(TESTS)]

from containers import archive, compression, fatbin, host_object     # noqa: E402
from mutate import Link, section_rows, stored_links, whole           # noqa: E402
from newer_targets import newer_links                                # noqa: E402

LARGEST = 40000
PACKED = (".o", ".a", ".fatbin", ".obj", ".so", ".lib")
TARGET_BYTE = {"sm_75": 1, "sm_89": 2, "sm_100": 3, "sm_120": 4}     # as fuzz_input.c
INFO_TYPES = (0x70000000, 0x70000086, 0x70000083, 7)
CAPSULE_TYPE = 0x70000016
EXECUTABLE = 4


def fixture_links():
    for folder in sorted((TESTS / "fixtures").iterdir()):
        files = {path.name: path.read_bytes() for path in sorted(folder.iterdir())}
        yield Link("fixtures", folder.name, files, [])


class Seeds:
    def __init__(self, folder):
        self.folder, self.counts = Path(folder), {}

    def add(self, target, data):
        if not 0 < len(data) <= LARGEST:
            return
        place = self.folder / ("seeds-" + target)
        place.mkdir(parents=True, exist_ok=True)
        path = place / hashlib.sha1(data).hexdigest()[:16]
        if not path.exists():
            self.counts[target] = self.counts.get(target, 0) + 1
        path.write_bytes(data)


def add_link(seeds, link, number):
    """As fuzz_link.c reads it: options, sizes, images."""
    images = list(link.files.values())[:3]
    head = bytes((number % 32, len(images))) + b"".join(struct.pack("<I", len(image)) for image in images)
    seeds.add("link", head + b"".join(images))


def add_sections(seeds, image):
    """What the readers of single sections take."""
    rows = list(section_rows(image))
    for at, kind, offset, size in rows:
        contents = image[offset:offset + size]
        if kind in INFO_TYPES:
            seeds.add("nvinfo", contents)
        if kind == CAPSULE_TYPE and size >= 12:
            text = rows[struct.unpack_from("<I", contents)[0]]
            seeds.add("capsule", struct.pack("<H", text[3] // 16 & 0xFFFF) + contents)


def add_packed(seeds, image, target):
    """The image in each kind of container."""
    for packing in ("", "lz4", "zstd"):
        container = fatbin.pack([fatbin.elf(target[3:], image, packing)])
        packed_object = host_object.make(container, "module", KE=["kernel"])
        library = archive.pack([("a.o", packed_object), ("a_member_with_a_long_name.o", packed_object)])
        seeds.add("fatbin", container)
        seeds.add("host_object", packed_object)
        seeds.add("archive", library)
        for file in (container, packed_object, library):
            seeds.add("input", bytes((TARGET_BYTE.get(target, 0),)) + file)
    for code, pack in enumerate((compression.lz4_block, compression.zstd_frame)):
        seeds.add("decompress", struct.pack("<I", len(image) << 8 | code) + pack(image))


def add_files(seeds):
    """The stored files that are no cubins."""
    for path in sorted((TESTS / "links").rglob("*")):
        if path.is_file() and path.suffix in PACKED:
            seeds.add("input", bytes((TARGET_BYTE.get(path.parent.name, 0),)) + path.read_bytes())


def add_leaf_kernels(seeds):
    """As fuzz_schedule.c reads them: indirect branches, then code; and each code with what became of it."""
    for path in sorted((TESTS / "unit" / "leaf_kernels").glob("*.txt")):
        lines = [line for line in path.read_text().splitlines() if not line.startswith("#")]
        rows = [line.replace(":", "").split()[1:] for line in lines if line.startswith("jump")]
        code = [line.split() for line in lines if not line.startswith("jump")]
        head = bytes((len(rows),))
        for at, *targets in [[int(word) // 16 for word in row] for row in rows]:
            head += struct.pack("<HB%dH" % len(targets), at, len(targets), *targets)
        texts = [b"".join(struct.pack("<QQ", *(int(half, 16) for half in row[side].split(".")))
                          for row in code if row[side] != "-") for side in (0, -1)]
        seeds.add("schedule", head + texts[0])
        seeds.add("schedule", head + b"".join(texts))


def add_options(seeds):
    for path in sorted((TESTS / "links").rglob("case.json")):
        words = json.loads(path.read_text()).get("options", [])
        seeds.add("options", " ".join(map(str, words)).encode())
    seeds.add("options", b'-arch sm_90 "a b.o" a\\ b.o -l x,y --kernels-used="a,b",c -m64\n')


def main():
    seeds = Seeds(sys.argv[1])
    newer = [Link(*link) for link in newer_links(seeds.folder / "newer", every=2)]
    fixtures = list(fixture_links())
    links = [link for link in fixtures + newer + stored_links() if all(map(whole, link.files.values()))]
    for number, link in enumerate(links):
        add_link(seeds, link, number)
        for image in link.files.values():
            seeds.add("elf", image)
            add_sections(seeds, image)
    for link in fixtures + newer[::10]:
        for image in link.files.values():
            add_packed(seeds, image, link.target)
    add_files(seeds)
    add_leaf_kernels(seeds)
    add_options(seeds)
    print("seeds:", ", ".join("%d for %s" % (count, target) for target, count in sorted(seeds.counts.items())))


if __name__ == "__main__":
    main()
