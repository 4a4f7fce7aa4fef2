"""Archives as `ar` writes them, and as it does not."""
import struct

MAGIC, THIN_MAGIC = b"!<arch>\n", b"!<thin>\n"
LONGEST_NAME = 15           # in a GNU header, which ends names with a slash


def header(name, size, end=b"`\n", date="0", owner="0", group="0", mode="644"):
    """`name` as it stands in the header: the slash that ends it is the caller's."""
    text = "%-16s%-12s%-6s%-6s%-8s%-10s" % (name, date, owner, group, mode, size)
    return text.encode("latin-1") + end


def member(name, data, size=None, pad=b"\n", **fields):
    """One member; a size that is given is a lie."""
    return header(name, len(data) if size is None else size, **fields) + data + pad[:len(data) % 2]


def symbol_index(count=0, name="/", width=4):
    """An index of `count` symbols that all point nowhere."""
    strings = b"".join(b"symbol%d\0" % i for i in range(count))
    code = ">%d%s" % (count + 1, "I" if width == 4 else "Q")
    return member(name, struct.pack(code, count, *([0] * count)) + strings)


class NameTable:
    """The member `//`, which holds names that no header can."""

    def __init__(self, always=False):
        self.text, self.always = b"", always

    def reference(self, name):
        if not self.always and len(name) <= LONGEST_NAME and "/" not in name:
            return name + "/"
        at = len(self.text)
        self.text += name.encode() + b"/\n"
        return "/%d" % at

    def pack(self):
        return member("//", self.text) if self.text else b""


def pack(members, index=None, table_for_all=False):
    """An ordinary archive of (name, bytes); `index` is a packed member in front."""
    names = NameTable(table_for_all)
    body = b"".join(member(names.reference(name), data) for name, data in members)
    return MAGIC + (index or b"") + names.pack() + body


def pack_bsd(members):
    """Names of BSD archives stand in front of the data and count as part of it."""
    body = b""
    for name, data in members:
        text = name.encode() + bytes(-len(name) % 4)
        body += member("#1/%d" % len(text), text + data)
    return MAGIC + body


def pack_thin(members, index=None):
    """(path, size) of files that stay where they are."""
    names = NameTable(always=True)
    body = b"".join(header(names.reference(path), size) for path, size in members)
    return THIN_MAGIC + (index or b"") + names.pack() + body
