#!/usr/bin/env python3
"""Damage inputs where the format has meaning: one field, row or table at a time.

    mutate.py --count N --out FOLDER [--seed N] [--filter TEXT]

The inputs are those of the link cases. A mutant is a list of edits, each an
offset with the bytes to put there, or a cut; it is made from a seed, so that
it can be made again, and stays reducible: leave out an edit and try again.
"""
import argparse
import random
import struct
import sys
from pathlib import Path

TESTS = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(TESTS / "fuzz"), str(TESTS)]

from edits import Edit                                          # noqa: E402
from linkcase import load_cases                                 # noqa: E402
from rough_damage import ROUGH, tables_of                       # noqa: E402

EHDR_FIELDS = (
    ("class", 4, 1), ("data", 5, 1), ("osabi", 7, 1), ("abiversion", 8, 1),
    ("type", 16, 2), ("machine", 18, 2), ("version", 20, 4), ("entry", 24, 8),
    ("phoff", 32, 8), ("shoff", 40, 8), ("flags", 48, 4), ("ehsize", 52, 2),
    ("phentsize", 54, 2), ("phnum", 56, 2), ("shentsize", 58, 2),
    ("shnum", 60, 2), ("shstrndx", 62, 2))
SHDR_FIELDS = (
    ("name", 0, 4), ("type", 4, 4), ("flags", 8, 8), ("addr", 16, 8),
    ("offset", 24, 8), ("size", 32, 8), ("link", 40, 4), ("info", 44, 4),
    ("align", 48, 8), ("entsize", 56, 8))
SYM_FIELDS = (("name", 0, 4), ("info", 4, 1), ("other", 5, 1),
              ("shndx", 6, 2), ("value", 8, 8), ("size", 16, 8))
REL_FIELDS = (("offset", 0, 8), ("type", 8, 4), ("symbol", 12, 4))
RELA_FIELDS = REL_FIELDS + (("addend", 16, 8),)

SHT_SYMTAB, SHT_STRTAB, SHT_RELA, SHT_NOTE, SHT_NOBITS, SHT_REL = 2, 3, 4, 7, 8, 9
SHT_INFO, SHT_CALLGRAPH, SHT_PROTOTYPE, SHT_COMPAT = (
    0x70000000, 0x70000001, 0x70000002, 0x70000086)
NOBITS_TYPES = (0, SHT_NOBITS, 0x70000007, 0x70000009, 0x7000000A, 0x70000015)

SECTION_TYPES = ((0, 1, 2, 3, 4, 7, 8, 9, 18, 0x70000086, 0x7FFFFFFF) +
                 tuple(range(0x70000000, 0x70000018)) +
                 tuple(range(0x70000064, 0x70000078)))
EDGES = (0, 1, 2, 3, 4, 7, 8, 16, 0x7F, 0x80, 0xFF, 0x100, 0x7FFF, 0x8000,
         0xFEFF, 0xFF00, 0xFFF1, 0xFFF2, 0xFFFF, 0x10000, 0xFFFFFF, 0x1000000,
         0x7FFFFFFF, 0x80000000, 0xFFFFFFF0, 0xFFFFFFFF, 1 << 32, 1 << 40,
         1 << 44, (1 << 63) - 1, 1 << 63, (1 << 64) - 8, (1 << 64) - 1)


class Field:
    """A number of the file: where it is, and which others are of its kind."""

    def __init__(self, group, name, offset, width):
        self.group, self.name = group, name
        self.offset, self.width = offset, width

    def read(self, data):
        return int.from_bytes(data[self.offset:self.offset + self.width],
                              "little")


def apply_edits(data, edits):
    for edit in edits:
        data = edit.apply(data)
    return data


# ---- the fields of a file ----

def section_rows(data):
    """(header offset, type, offset, size) of every section of a good file."""
    table = struct.unpack_from("<Q", data, 40)[0]
    count = struct.unpack_from("<H", data, 60)[0]
    if not count and table:
        count = struct.unpack_from("<Q", data, table + 32)[0]
    for index in range(count):
        at = table + 64 * index
        kind = struct.unpack_from("<I", data, at + 4)[0]
        offset, size = struct.unpack_from("<QQ", data, at + 24)
        yield at, kind, offset, size


def rows_of(group, offset, size, step, layout):
    for at in range(offset, offset + size - step + 1, step):
        for name, delta, width in layout:
            yield Field(group, name, at + delta, width)


def words_of(group, offset, size):
    return rows_of(group, offset, size, 4, (("word", 0, 4),))


def record_fields(data, offset, size):
    """Headers and payload words of .nv.info and .nv.compat."""
    at = offset
    while at + 4 <= offset + size:
        yield Field("record", "format", at, 1)
        yield Field("record", "attribute", at + 1, 1)
        length = 0
        if data[at] == 4:
            length = struct.unpack_from("<H", data, at + 2)[0]
        yield Field("record", "length" if length else "value", at + 2, 2)
        yield from words_of("payload", at + 4,
                            min(length, offset + size - at - 4))
        at += 4 + length


def note_fields(offset, size):
    yield from words_of("note", offset, size)
    for at in range(offset + 24, offset + size - 1, 2):
        yield Field("note", "half", at, 2)


def contents_fields(data, kind, offset, size):
    if kind == SHT_SYMTAB:
        return rows_of("symbol", offset, size, 24, SYM_FIELDS)
    if kind == SHT_REL:
        return rows_of("relocation", offset, size, 16, REL_FIELDS)
    if kind == SHT_RELA:
        return rows_of("relocation", offset, size, 24, RELA_FIELDS)
    if kind in (SHT_INFO, SHT_COMPAT):
        return record_fields(data, offset, size)
    if kind == SHT_CALLGRAPH:
        return words_of("callgraph", offset, size)
    if kind == SHT_PROTOTYPE:
        return words_of("prototype", offset, size)
    if kind == SHT_NOTE:
        return note_fields(offset, size)
    if kind == SHT_STRTAB:
        return (Field("string", "byte", at, 1)
                for at in range(offset, offset + size))
    return words_of("contents", offset, size)


def all_fields(data):
    """Group -> its fields, of an undamaged file."""
    fields = [Field("header", *row) for row in EHDR_FIELDS]
    for at, kind, offset, size in section_rows(data):
        fields += [Field("section", name, at + delta, width)
                   for name, delta, width in SHDR_FIELDS]
        if kind not in NOBITS_TYPES:
            fields += contents_fields(data, kind, offset, size)
    groups = {}
    for field in fields:
        groups.setdefault(field.group, []).append(field)
    return groups


# ---- files in which images are packed ----

CONTAINER_FIELDS = (("magic", 0, 4), ("version", 4, 2), ("header size", 6, 2),
                    ("size", 8, 8))
ENTRY_FIELDS = (("kind", 0, 2), ("version", 2, 2), ("header size", 4, 4),
                ("size", 8, 8), ("packed size", 16, 4), ("options", 20, 4),
                ("minor", 24, 2), ("major", 26, 2), ("target", 28, 4),
                ("name offset", 32, 4), ("name length", 36, 4),
                ("flags", 40, 8), ("zero", 48, 8), ("unpacked size", 56, 8))
MEMBER_FIELDS = (("member name", 0, 16), ("date", 16, 12), ("owner", 28, 6),
                 ("mode", 40, 8), ("member size", 48, 10), ("end", 58, 2))
FATBIN_MAGIC = b"\x50\xed\x55\xba"


def moved(at, groups):
    """The fields of a frame that begins at an offset of the file."""
    return [Field(field.group, field.name, field.offset + at, field.width)
            for fields in groups.values() for field in fields]


def fatbin_fields(data, at):
    fields = [Field("fatbin", name, at + delta, width)
              for name, delta, width in CONTAINER_FIELDS]
    end = at + 16 + int.from_bytes(data[at + 8:at + 16], "little")
    entry = at + 16
    while entry + 64 <= min(end, len(data)):
        fields += [Field("entry", name, entry + delta, width)
                   for name, delta, width in ENTRY_FIELDS]
        entry += (int.from_bytes(data[entry + 4:entry + 8], "little") +
                  int.from_bytes(data[entry + 8:entry + 16], "little"))
    return fields


def archive_fields(data):
    fields, at = [Field("archive", "magic", 0, 8)], 8
    while at + 60 <= len(data):
        fields += [Field("member", name, at + delta, width)
                   for name, delta, width in MEMBER_FIELDS]
        size = int(data[at + 48:at + 58].split()[0])
        at += 60 + size + size % 2
    return fields


def packed_frames(data):
    """Rows of all section tables, and fields of all frames, however deep."""
    rows, fields, at = [], [], 0
    if data[:8] == b"!<arch>\n":
        fields += archive_fields(data)
    while at + 64 <= len(data):
        if data[at:at + 4] == b"\x7fELF" and whole(data[at:]):
            kind = "" if data[at + 18:at + 20] == b"\xbe\0" else "host "
            own = moved(at, all_fields(data[at:]))
            rows += [(row + at, kind_, offset + at, size) for row, kind_,
                     offset, size in section_rows(data[at:])]
            for field in own:
                field.group = kind + field.group
            fields += [f for f in own if f.group != "host contents"]
        elif data[at:at + 4] == FATBIN_MAGIC:
            fields += fatbin_fields(data, at)
        at += 2
    groups = {}
    for field in fields:
        groups.setdefault(field.group, []).append(field)
    return rows, groups


class Base:
    """An undamaged file with its fields: a cubin, or anything that packed_frames finds."""

    def __init__(self, data):
        self.data = data
        if is_cubin(data):
            self.rows = list(section_rows(data))
            self.groups = all_fields(data)
        else:
            self.rows, self.groups = packed_frames(data)
        self.names = {}
        for fields in self.groups.values():
            for field in fields:
                self.names.setdefault((field.group, field.name),
                                      []).append(field)
        symbols = len(self.names.get(("symbol", "name"), ()))
        # Counts and sizes that indices and offsets are compared with.
        self.limits = (len(data), len(self.rows), symbols) + tuple(
            {row[3] for row in self.rows})


# ---- values ----

def special_values(field):
    """Values that mean something in this field alone."""
    kind = (field.group, field.name)
    if kind == ("section", "type"):
        return SECTION_TYPES
    if kind == ("section", "flags"):
        return (0, 2, 3, 6, 0x40, 0x42, 0x43, 0x1000000, 0x2000000)
    if kind == ("symbol", "info"):
        return tuple(binding << 4 | kind for binding in range(4)
                     for kind in range(14))
    if kind == ("relocation", "type"):
        return tuple(range(128)) + (65535, 65536, 0x10000 + 36)
    if kind == ("record", "attribute"):
        return tuple(range(0x70))
    if kind == ("record", "format"):
        return tuple(range(6))
    return ()


def new_value(base, field, source):
    """An odd number for a field, seldom one that it has already."""
    old, bits = field.read(base.data), 8 * field.width
    twin = source.choice(base.names[field.group, field.name])
    ways = [
        lambda: source.choice(EDGES),
        lambda: old + source.choice((-1, 1, -8, 8, 4, -4)),
        lambda: old ^ (1 << source.randrange(bits)),
        lambda: source.choice(base.limits) + source.choice((-1, 0, 0, 1)),
        lambda: source.randrange(len(base.rows) + 2),
        lambda: twin.read(base.data),
        lambda: source.getrandbits(bits),
        lambda: (1 << 64) - source.choice(base.limits),
    ]
    special = special_values(field)
    if special:
        ways += [lambda: source.choice(special)] * 6
    return source.choice(ways)() & ((1 << bits) - 1)


# ---- mutations: (base, random source) -> list of edits ----

def change_field(base, source):
    group = source.choice(sorted(base.groups))
    field = source.choice(base.groups[group])
    value = new_value(base, field, source)
    return [Edit("%s %s" % (field.group, field.name), field.offset,
                 value.to_bytes(field.width, "little"))]


def change_same_field_everywhere(base, source):
    """One field of every row of a table, as a tool with a bug would."""
    group, name = source.choice(sorted(base.names))
    fields = base.names[group, name]
    value = new_value(base, fields[0], source)
    return [Edit("%s %s" % (group, name), field.offset,
                 value.to_bytes(field.width, "little"))
            for field in fields[:40]]


def flip_bits(base, source):
    edits = []
    for _ in range(source.choice((1, 1, 2, 8))):
        at = source.randrange(len(base.data))
        flipped = base.data[at] ^ 1 << source.randrange(8)
        edits.append(Edit("bit", at, bytes((flipped,))))
    return edits


def copy_row(base, source):
    """One row of a table over another: duplicates of everything in it."""
    tables = [(step, at) for step, table in tables_of(base, {SHT_INFO: 12})
              for at in table]
    step, target = source.choice(tables)
    origin = source.choice([at for width, at in tables if width == step])
    return [Edit("row of %d" % step, target,
                 base.data[origin:origin + step])]


def overlap_sections(base, source):
    """Two sections with the same contents."""
    one, two = source.choice(base.rows), source.choice(base.rows)
    start = source.choice((0, 24))      # whole extent, or extent only
    end = 40 if start else 64
    return [Edit("section extent", one[0] + start,
                 base.data[two[0] + start:two[0] + end])]


def fill_section(base, source):
    """The contents of a section become one repeated word, or noise."""
    full = [row for row in base.rows if row[1] not in NOBITS_TYPES and row[3]]
    _, kind, offset, size = source.choice(full)
    word = source.choice((b"\0", b"\xff", b"A", b"\1\0\0\0", b"\4\x2f\4\0",
                          source.randbytes(16)))
    return [Edit("contents of type 0x%x" % kind, offset,
                 (word * (size // len(word) + 1))[:size])]


MUTATIONS = ([change_field] * 12 + [change_same_field_everywhere] * 2 +
             [flip_bits] * 6 + [copy_row, copy_row, overlap_sections,
                                fill_section] +
             list(ROUGH))


WITHOUT_SECTIONS = [change_field] * 8 + [flip_bits] * 4 + list(ROUGH)


def mutate_once(base, source):
    if not base.groups:
        return flip_bits(base, source)
    return source.choice(MUTATIONS if base.rows else
                         WITHOUT_SECTIONS)(base, source)


def mutate(base, source):
    """Edits that damage one file, usually in a single place."""
    edits = []
    for _ in range(source.choice((1, 1, 1, 2, 2, 3, 5))):
        edits += mutate_once(base, source)
    return edits


# ---- the link cases as links ----

class Link:
    """Files in order and options, from a link case; `images` are the cubins where they are packed."""

    def __init__(self, name, target, files, options, images=None):
        self.name, self.target = name, target
        self.files, self.options = files, options
        self.images = list(files.values()) if images is None else images

    def arguments(self):
        return (["-arch=" + self.target] + list(self.files) + self.options +
                ["-o", "out.cubin"])


def is_cubin(data):
    return (len(data) >= 64 and data[:4] == b"\x7fELF" and
            data[18:20] == b"\xbe\0" and struct.unpack_from(
                "<Q", data, 40)[0] + 64 <= len(data))


def stored_links(text=""):
    """Every stored link whose inputs are whole cubins."""
    links = []
    for case in load_cases():
        if text not in case.name:
            continue
        for target in case.targets:
            files = case.input_files(target)
            if files and all(is_cubin(data) and whole(data)
                             for data in files.values()):
                options = [] if case.command else case.options
                links.append(Link(case.name, target, files, list(options)))
    return links


def whole(data):
    """Do all sections lie in the file? Some cases store damaged inputs."""
    try:
        return all(kind in NOBITS_TYPES or offset + size <= len(data)
                   for _, kind, offset, size in section_rows(data))
    except struct.error:
        return False


EXTRA_OPTIONS = 30 * ([],) + (
    ["-g"], ["-r"], ["--preserve-relocs"], ["-v"],
    ["--dump-callgraph"], ["-v", "--dump-callgraph"], ["-g", "-v"],
    ["--preserve-relocs", "-g"], ["-r", "-g"], ["--force-rela"],
    ["--kernels-used", "k"], ["--kernels-used", "k", "--variables-used", "a"],
    ["--allow-undefined-globals"], ["-r", "--preserve-relocs"])


class Mutant:
    """A link with damage: file name -> edits, and options."""

    def __init__(self, link, edits, options):
        self.link, self.edits, self.options = link, edits, options

    def files(self):
        return {name: apply_edits(data, self.edits.get(name, []))
                for name, data in self.link.files.items()}

    def arguments(self):
        arguments = self.link.arguments()
        known = set(arguments)
        return arguments[:-2] + [o for o in self.options
                                 if o not in known] + arguments[-2:]

    def describe(self):
        lines = ["%s %s" % (self.link.name, self.link.target),
                 " ".join(self.arguments())]
        for name, edits in self.edits.items():
            lines += ["%s: %s" % (name, edit) for edit in edits]
        return "\n".join(lines)


class Mutator:
    """Numbered mutants: the same number gives the same mutant."""

    def __init__(self, links, seed, single=False):
        self.links = links
        self.seed, self.single, self.bases = seed, single, {}

    def base(self, data):
        if data not in self.bases:
            self.bases[data] = Base(data)
        return self.bases[data]

    def mutant(self, number):
        source = random.Random("%s %d" % (self.seed, number))
        link = source.choice(self.links)
        victims = [source.choice(sorted(link.files))]
        if self.single:
            name = victims[0]
            return Mutant(link, {name: mutate_once(self.base(link.files[name]), source)}, [])
        if source.random() < 0.1:
            victims = sorted(link.files)
        edits = {name: mutate(self.base(link.files[name]), source)
                 for name in victims}
        return Mutant(link, edits, source.choice(EXTRA_OPTIONS))


def write_mutants(folder, mutator, count):
    for number in range(count):
        mutant = mutator.mutant(number)
        place = folder / ("%06d" % number)
        place.mkdir(parents=True, exist_ok=True)
        for name, data in mutant.files().items():
            (place / name).write_bytes(data)
        (place / "about.txt").write_text(mutant.describe() + "\n")


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--out", metavar="FOLDER", required=True)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--filter", default="", metavar="TEXT")
    options = parser.parse_args()
    write_mutants(Path(options.out), Mutator(stored_links(options.filter),
                                             options.seed), options.count)
    return 0


if __name__ == "__main__":
    sys.exit(main())
