"""Damage that knows little of the format: what storage, transfers and tools with bugs do to files."""
import struct

from edits import Edit, Tail

BYTES = (0, 1, 0x7F, 0x80, 0xFF)
WORDS = (0, 1, 2, 0x7F, 0x80, 0xFF, 0x7FFF, 0x8000, 0xFFFF, 0x10000, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF,
         0x100000000, (1 << 63) - 1, 1 << 63, (1 << 64) - 1)
ROWS = {2: 24, 4: 24, 9: 16, 0x70000001: 8, 0x70000002: 8, 0x70000082: 24, 0x70000085: 24}     # bytes of each, by type
HEADER_SIZE, STRINGS = 64, 3
PAIRS = {"section": ("offset", "size"), "host section": ("offset", "size"), "entry": ("header size", "size"),
         "symbol": ("value", "size"), "header": ("shoff", "shnum"), "host header": ("shoff", "shnum")}
NUMBERS = ("0", "1", "-1", "60", "4294967295", "4294967296", "9999999999", "x", "", "0x40", "1 2", " 7")


def replace_bytes(base, source):
    edits = []
    for _ in range(source.choice((1, 1, 1, 2, 4))):
        edits.append(Edit("byte", source.randrange(len(base.data)), bytes((source.choice(BYTES + (source.randrange(256),)),))))
    return edits


def replace_word(base, source):
    """A word of any size, aligned as words are."""
    width = source.choice((2, 4, 4, 8))
    at = source.randrange(max(1, len(base.data) // width)) * width
    old = int.from_bytes(base.data[at:at + width], "little")
    value = source.choice((source.choice(WORDS), old + 1, old - 1, old << 1, old >> 1, ~old, source.getrandbits(8 * width)))
    return [Edit("word", at, (value & (1 << 8 * width) - 1).to_bytes(width, "little"))]


def clear_range(base, source):
    at = source.randrange(len(base.data))
    size = min(source.choice((2, 4, 8, 16, 24, 64, 512)), len(base.data) - at)
    return [Edit("range", at, source.choice((b"\0", b"\xff", source.randbytes(1))) * size)]


def swap_ranges(base, source):
    """Two blocks change places."""
    size = min(source.choice((4, 8, 12, 16, 24, 64)), len(base.data) // 4)
    one, two = sorted(source.randrange(0, len(base.data) - 2 * size, 4) for _ in range(2))
    two = max(two, one + size)
    return [Edit("block", one, base.data[two:two + size]), Edit("block", two, base.data[one:one + size])]


def tables_of(base, more=None):
    """(bytes of a row, where each row begins) of the section headers and of the tables among the sections."""
    steps = {**ROWS, **(more or {})}
    yield HEADER_SIZE, [row[0] for row in base.rows]
    for _, kind, offset, size in base.rows:
        if kind in steps:
            yield steps[kind], list(range(offset, offset + size - steps[kind] + 1, steps[kind]))


def some_table(base, source):
    usable = [(step, table) for step, table in tables_of(base) if len(table) > 1]
    return source.choice(usable) if usable else (0, [])


def swap_rows(base, source):
    """Two rows of one table change places."""
    step, table = some_table(base, source)
    if not table:
        return replace_word(base, source)
    one, two = source.sample(table, 2)
    return [Edit("swapped row of %d" % step, one, base.data[two:two + step]),
            Edit("swapped row of %d" % step, two, base.data[one:one + step])]


def places(base):
    """Where parts of the file begin or end."""
    found = {0, 4, 16, 52, 64, len(base.data)}
    for at, kind, offset, size in base.rows:
        found |= {at, offset, offset + size}
    for fields in base.groups.values():
        if fields[0].group in ("fatbin", "entry", "member", "archive"):
            found |= {field.offset for field in fields}
    return sorted(place for place in found if place <= len(base.data))


def near(base, source):
    if source.random() < 0.3:
        return source.randrange(len(base.data))
    return max(0, min(len(base.data) - 1, source.choice(places(base)) + source.choice((0, 0, 0, -1, 1, 8))))


def cut_out(base, source):
    at, size = near(base, source), source.choice((1, 2, 4, 8, 16, 24, 64, 4096))
    return [Tail("cut out %d" % size, at, base.data[at + size:])]


def put_in(base, source):
    at, size = near(base, source), source.choice((1, 2, 4, 8, 16, 24, 64, 4096))
    return [Tail("put in %d" % size, at, source.choice((bytes(size), source.randbytes(size))) + base.data[at:])]


def append(base, source):
    size = source.choice((1, 2, 7, 60, 64, 1000))
    return [Tail("appended", len(base.data), source.choice((bytes(size), b"\n" * size, base.data[:size],
                                                            source.randbytes(size))))]


def splice(base, source):
    """The rest comes from another place of the file, at which something of it begins."""
    return [Tail("splice", near(base, source), base.data[near(base, source):])]


def truncate(base, source):
    at = max(0, source.choice(places(base)) + source.choice((0, 0, -1, 1)))
    return [Edit("file", min(at, len(base.data) - 1), None)]


def shift_rows(base, source):
    """A row is left out, and those behind it move up; the last one is there twice."""
    step, table = some_table(base, source)
    if not table:
        return replace_word(base, source)
    at, end = source.choice(table[:-1]), table[-1] + step
    return [Edit("rows of %d moved" % step, at, base.data[at + step:end] + base.data[end - step:end])]


def end_strings(base, source):
    """A string ends early, or runs into the next one."""
    tables = [(offset, size) for _, kind, offset, size in base.rows if kind == STRINGS and size > 2]
    if not tables:
        return replace_bytes(base, source)
    offset, size = source.choice(tables)
    ends = [at for at in range(offset, offset + size - 1) if not base.data[at]]
    at = source.choice(ends + [source.randrange(offset, offset + size)])
    return [Edit("end of a string", at, bytes((0 if base.data[at] else source.choice(b"_.$x"),)))]


def wrap_around(base, source):
    """Two numbers of one header whose sum is too large for their type."""
    groups = [(group, names) for group, names in PAIRS.items() if (group, names[0]) in base.names]
    if not groups:
        return replace_word(base, source)
    group, names = source.choice(groups)
    index = source.randrange(len(base.names[group, names[0]]))
    value = source.getrandbits(10) * 8 + 8
    first, second = (base.names[group, name][index] for name in names)
    rest = (1 << 8 * second.width) - value
    return [Edit("%s %s" % (group, field.name), field.offset, number.to_bytes(field.width, "little"))
            for field, number in ((first, value), (second, rest))]


def swap_fields(base, source):
    """Two fields of one kind have each other's values: sizes, offsets, links, types, names."""
    usable = [key for key, fields in sorted(base.names.items()) if len(fields) > 1]
    if not usable:
        return replace_word(base, source)
    one, two = source.sample(base.names[source.choice(usable)], 2)
    return [Edit("swapped %s %s" % (one.group, one.name), one.offset, base.data[two.offset:two.offset + two.width]),
            Edit("swapped %s %s" % (one.group, one.name), two.offset, base.data[one.offset:one.offset + one.width])]


def member_number(base, source):
    """Numbers of archives are text."""
    fields = [field for field in base.groups.get("member", ()) if field.name in ("member size", "member name", "mode")]
    if not fields:
        return replace_word(base, source)
    field = source.choice(fields)
    text = source.choice(NUMBERS + (str(len(base.data)), "/%s" % source.choice(NUMBERS)))
    return [Edit("member text", field.offset, text.encode().ljust(field.width)[:field.width])]


def index_word(base, source):
    """Words of an archive's index, which are big-endian."""
    if base.data[:8] != b"!<arch>\n" or base.data[8:10] != b"/ ":
        return member_number(base, source)
    at = 68 + 4 * source.randrange(max(1, int(base.data[56:66]) // 4))
    return [Edit("index", at, struct.pack(">I", source.choice(WORDS) & 0xFFFFFFFF))]


ROUGH = (replace_bytes, replace_bytes, replace_bytes, replace_word, replace_word, clear_range, swap_ranges, swap_rows, cut_out,
         put_in, append, splice, truncate, member_number, index_word, shift_rows,
         end_strings, wrap_around, swap_fields, swap_fields)
