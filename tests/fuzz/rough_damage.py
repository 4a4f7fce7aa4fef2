"""Damage that knows little of the format: what storage, transfers and tools with bugs do to files."""
import struct

from edits import Edit, Tail

BYTES = (0, 1, 0x7F, 0x80, 0xFF)
WORDS = (0, 1, 2, 0x7F, 0x80, 0xFF, 0x7FFF, 0x8000, 0xFFFF, 0x10000, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF,
         0x100000000, (1 << 63) - 1, 1 << 63, (1 << 64) - 1)
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


def swap_rows(base, source):
    """Two rows of one table change places."""
    steps = {2: 24, 4: 24, 9: 16, 0x70000001: 8, 0x70000002: 8}
    tables = [[row[0] for row in base.rows]] + [
        list(range(offset, offset + size - steps[kind] + 1, steps[kind])) for _, kind, offset, size in base.rows
        if kind in steps]
    steps = [64] + [steps[row[1]] for row in base.rows if row[1] in steps]
    usable = [(table, step) for table, step in zip(tables, steps) if len(table) > 1]
    if not usable:
        return replace_word(base, source)
    table, step = source.choice(usable)
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


def truncate_at_boundary(base, source):
    at = max(0, source.choice(places(base)) + source.choice((0, 0, -1, 1)))
    return [Edit("file", min(at, len(base.data) - 1), None)]


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
         put_in, append, splice, truncate_at_boundary, member_number, index_word)
