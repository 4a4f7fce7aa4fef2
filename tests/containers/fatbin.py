"""Fatbins: a header, then entries, each with a header of its own.

Every field can be set to what no tool writes: `Entry(..., fields={"kind": 3})`, `pack(entries, version=2)`.
"""
import struct
from dataclasses import dataclass, field

from . import compression

MAGIC = 0xBA55ED50
HEADER = struct.Struct("<IHHQ")
ENTRY = struct.Struct("<HHIQIIHHIIIQQQ")
ENTRY_FIELDS = ("kind version header_size size compressed_size options_offset minor major arch identifier_offset "
                "identifier_length flags key plain_size").split()
PTX, ELF, LTO = 1, 2, 8
VERSIONS = {PTX: (0, 9), ELF: (8, 1), LTO: (65, 1)}     # minor, major
IS_64BIT, IS_LINUX = 0x1, 0x10
LZ4, ZSTD = 0x2000, 0x8000
SUFFIXES = {"": 0, "a": 0x100000, "f": 0x200000}
HAS_COMPAT, FIRST_WITH_COMPAT = 0x1000000, 100
FAMILY_MASKS = {100: 0x09, 120: 0x50}       # which later targets of its family run the code
LARGEST_IMAGE = 1 << 26                     # that is unpacked here
COMPRESSORS = {"": (0, None), "lz4": (LZ4, compression.lz4_block), "zstd": (ZSTD, compression.zstd_frame)}


def padded(data, step=8):
    return data + bytes(-len(data) % step)


def split_arch(name):
    """(90, "a") of "90a", "sm_90a" or "compute_90a"."""
    name = name.rpartition("_")[2]
    return int(name.rstrip("af")), name.lstrip("0123456789")


@dataclass
class Entry:
    kind: int
    arch: str
    payload: bytes
    compression: str = ""
    options: object = None              # text or bytes of the block of options; None: there is none
    identifier: str = ""
    fields: dict = field(default_factory=dict)      # what the header says instead

    def pack(self):
        number, suffix = split_arch(self.arch)
        flag, compress = COMPRESSORS[self.compression]
        data = compress(self.payload) if compress else self.payload
        extras, values = self._extras()
        values.update(kind=self.kind, version=0x0101, header_size=ENTRY.size + len(extras),
                      size=len(padded(data)), arch=number, flags=IS_64BIT | IS_LINUX | flag | SUFFIXES[suffix])
        if self.kind == ELF and self.options is not None:
            values["flags"] |= HAS_COMPAT
        values["minor"], values["major"] = VERSIONS.get(self.kind, (0, 0))
        if compress:
            values.update(compressed_size=len(data), plain_size=len(self.payload))
        values.update(self.fields)
        return ENTRY.pack(*(values.get(name, 0) for name in ENTRY_FIELDS)) + extras + padded(data)

    def _extras(self):
        """What follows the fixed part of the header, and the fields that say where."""
        extras, values = b"", {}
        if self.identifier:
            values.update(identifier_offset=ENTRY.size, identifier_length=len(self.identifier))
            extras += padded(self.identifier.encode() + b"\0")
        if self.options is not None:
            at = ENTRY.size + len(extras)
            values["options_offset"] = at
            text = self.options if isinstance(self.options, bytes) else self.options.encode()
            extras += padded(struct.pack("<II", at + 8, len(text)) + text + b"\0")
        return extras, values


def compat_block(arch):
    """What the header of a Blackwell entry says of the code in it: a byte, then the records of .nv.compat."""
    number, suffix = split_arch(arch)
    return struct.pack("<B28BQ", 0, 2, 9, suffix == "a", 0, 2, 2, 1, 0, 2, 5, 5, 0, 3, 7, 1, 1, 2, 3, 0, 0, 2, 6, 1, 0,
                       4, 11, 8, 0, FAMILY_MASKS.get(number, 0))[:-1]


def elf(arch, cubin, compression="", **more):
    entry = Entry(ELF, arch, cubin, compression, **more)
    number, suffix = split_arch(arch)
    if number >= FIRST_WITH_COMPAT and entry.options is None:
        entry.options = compat_block(arch)
    return entry


def ptx(arch, text, compression="", options="--compile-only  ", **more):
    """PTX has one terminating NUL, which counts."""
    payload = text if isinstance(text, bytes) else text.encode() + b"\0"
    return Entry(PTX, arch, payload, compression, options, **more)


def pack(entries, magic=MAGIC, version=1, header_size=HEADER.size, size=None, gap=b""):
    """`gap` stands between the header and the first entry."""
    body = b"".join(entry if isinstance(entry, bytes) else entry.pack() for entry in entries)
    return HEADER.pack(magic, version, header_size, len(body) if size is None else size) + gap + body


def entries(data):
    """(where its payload begins in the file, fields of its header) of each entry of each fatbin in a file."""
    magic = struct.pack("<I", MAGIC)
    begin = data.find(magic)
    while begin >= 0 and begin + HEADER.size <= len(data):
        _, _, header_size, size = HEADER.unpack_from(data, begin)
        at, end = begin + header_size, min(begin + header_size + size, len(data))
        while at + ENTRY.size <= end:
            fields = dict(zip(ENTRY_FIELDS, ENTRY.unpack_from(data, at)))
            if fields["header_size"] < ENTRY.size:
                break
            yield at + fields["header_size"], fields
            at += fields["header_size"] + fields["size"]
        begin = data.find(magic, max(at, begin + HEADER.size))


def unpacked(fields, packed):
    """The image of an entry whose fields say that it is packed; None if it cannot be unpacked."""
    try:
        return (compression.lz4_unpacked(packed) if fields["flags"] & LZ4 else
                compression.zstd_unpacked(packed, fields["plain_size"]))
    except ValueError:
        return None


def packed_images(data):
    """(where it begins in the file, its size there, the fields of its entry, the image or None) of what is packed."""
    for begin, fields in entries(data):
        if fields["kind"] == ELF and fields["flags"] & (LZ4 | ZSTD) and fields["plain_size"] < LARGEST_IMAGE:
            packed = data[begin:begin + fields["compressed_size"]]
            yield begin, len(packed), fields, unpacked(fields, packed)
