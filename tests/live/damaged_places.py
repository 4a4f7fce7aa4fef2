"""Says what stands at an offset of an input, in words that are the same for the same kind of thing."""
import struct

from changed_bytes import changes
from known_mutants import image_at

HEADER = ((4, "magic"), (16, "ident"), (18, "type"), (20, "machine"), (24, "version"), (32, "entry"), (40, "phoff"),
          (48, "shoff"), (52, "flags"), (54, "ehsize"), (56, "phentsize"), (58, "phnum"), (60, "shentsize"),
          (62, "shnum"), (64, "shstrndx"))
SECTION = ((4, "name"), (8, "type"), (16, "flags"), (24, "addr"), (32, "offset"), (40, "size"), (44, "link"),
           (48, "info"), (56, "align"), (64, "entsize"))
SYMBOL = ((4, "name"), (5, "info"), (6, "other"), (8, "shndx"), (16, "value"), (24, "size"))
RELOCATION = ((8, "offset"), (12, "type"), (16, "symbol"), (24, "addend"))
# By type of section: the size of a row, and its fields.
TABLES = {2: (24, SYMBOL), 0x70000085: (24, SYMBOL), 4: (24, RELOCATION), 0x70000082: (24, RELOCATION),
          9: (16, RELOCATION)}
RECORDS = (0x70000000, 0x70000083, 0x70000086)
EMPTY, NOBITS, SIZED = 0, 8, 4


def field(fields, offset):
    return next(name for end, name in fields if offset < end)


def record(contents, offset):
    """The record of .nv.info that holds the offset."""
    at = 0
    while at + 4 <= len(contents):
        form, attribute, value = struct.unpack_from("<BBH", contents, at)
        size = 4 + (value if form == SIZED else 0)
        if offset < at + size:
            return "record 0x%02x+%d" % (attribute, offset - at)
        at += size
    return "behind the records"


class Image:
    """The device image of a file, undamaged."""

    def __init__(self, data):
        self.data = data
        self.table, = struct.unpack_from("<Q", data, 40)
        count, names = struct.unpack_from("<HH", data, 60)
        self.rows = [struct.unpack_from("<IIQQQQIIQQ", data, self.table + 64 * i) for i in range(count)]
        self.names = self.rows[names][4]

    def string(self, at):
        return self.data[at:self.data.index(b"\0", at)].decode("latin-1")

    def name(self, index):
        return self.string(self.names + self.rows[index][0])

    def place(self, offset):
        if offset < 64:
            return "header " + field(HEADER, offset)
        if self.table <= offset < self.table + 64 * len(self.rows):
            index, inside = divmod(offset - self.table, 64)
            return "section header %s: %s" % (self.name(index), field(SECTION, inside))
        for index, row in enumerate(self.rows):
            if row[1] not in (EMPTY, NOBITS) and row[4] <= offset < row[4] + row[5]:
                return self.inside(index, offset - row[4])
        return "between sections"

    def inside(self, index, offset):
        kind, begin, size, link = (self.rows[index][i] for i in (1, 4, 5, 6))
        if kind in RECORDS:
            return "%s %s" % (self.name(index), record(self.data[begin:begin + size], offset))
        if kind not in TABLES:
            return "%s+0x%x" % (self.name(index), offset)
        step, fields = TABLES[kind]
        number, inside = divmod(offset, step)
        place = "%s %s" % (self.name(index), field(fields, inside))
        if fields is not SYMBOL:
            return place
        name, info, other = struct.unpack_from("<IBB", self.data, begin + step * number)
        return "%s of %s (info 0x%02x, other 0x%02x)" % (place, self.string(self.rows[link][4] + name), info, other)


def place(data, offset):
    """In words, for any kind of input."""
    base = image_at(data, offset)
    if base is None:
        return "no device image"
    try:
        return Image(data[base:]).place(offset - base)
    except (struct.error, IndexError, ValueError):
        return "around a device image"


def first_damage(old, new):
    """The place of the first changed byte, in words; of a packed image that of the image."""
    if len(old) != len(new):
        return place(old, min(len(old), len(new)))
    change = next(changes(old, new), None)
    if change is None:
        return "a packed image that cannot be unpacked"
    contents, offset, _ = change
    return ("packed " if contents is not old else "") + place(contents, offset)
