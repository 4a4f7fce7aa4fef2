"""Valid LZ4 blocks and zstd frames, made without their libraries; and what others packed.

They need not be small: what a test needs is a stream in which every kind of element occurs.
"""
import ctypes
import ctypes.util
import struct

ZSTD_MAGIC = 0xFD2FB528
ZSTD_BLOCK_LIMIT = 1 << 17
RAW, RUN = 0, 1                 # kinds of zstd blocks
SHORTEST_MATCH = 4
LAST_LITERALS = 5               # an LZ4 block ends with at least so many, and no match begins in its last 12 bytes
LAST_MATCH = 12


def lz4_length(length):
    """The bytes that follow a token whose 4 bits cannot hold the length."""
    if length < 15:
        return b""
    length -= 15
    return b"\xff" * (length // 255) + bytes([length % 255])


def lz4_sequence(literals, match_length=0, offset=0):
    """Literals and, but for the last sequence of a block, a match."""
    match = match_length - SHORTEST_MATCH if match_length else 0
    token = bytes([min(len(literals), 15) << 4 | min(match, 15)])
    out = token + lz4_length(len(literals)) + literals
    if match_length:
        out += struct.pack("<H", offset) + lz4_length(match)
    return out


def match_at(data, at, candidate):
    """How many bytes at two places are equal, and may be taken as a match."""
    length, most = 0, len(data) - LAST_LITERALS - at
    while length < most and data[candidate + length] == data[at + length]:
        length += 1
    return length


def lz4_block(data):
    """A greedy search over the last place at which each four bytes were seen."""
    out, start, at, seen = b"", 0, 0, {}
    while at < len(data) - LAST_MATCH:
        key = data[at:at + SHORTEST_MATCH]
        candidate = seen.get(key, -65536)
        seen[key] = at
        length = match_at(data, at, candidate) if at - candidate < 65536 else 0
        if length < SHORTEST_MATCH:
            at += 1
            continue
        out += lz4_sequence(data[start:at], length, at - candidate)
        at += length
        start = at
    return out + lz4_sequence(data[start:])


def lz4_unpacked(block):
    """What is packed in a block; ValueError for one that is damaged."""
    out, at = bytearray(), 0

    def length_at(at, length):
        more = 255 if length == 15 else 0
        while more == 255:
            more, at = block[at], at + 1
            length += more
        return length, at

    try:
        while at < len(block):
            token, at = block[at], at + 1
            literals, at = length_at(at, token >> 4)
            out += block[at:at + literals]
            at += literals
            if at >= len(block):
                break
            offset, at = struct.unpack_from("<H", block, at)[0], at + 2
            match, at = length_at(at, token & 15)
            if not 0 < offset <= len(out):
                raise ValueError("a match before the beginning")
            for _ in range(match + SHORTEST_MATCH):
                out.append(out[-offset])
    except (IndexError, struct.error):
        raise ValueError("a block that ends early") from None
    return bytes(out)


def zstd_block(kind, size, content, is_last):
    return struct.pack("<I", size << 3 | kind << 1 | is_last)[:3] + content


def zstd_frame(data):
    """One segment of stored blocks, and of runs where a block is one byte repeated."""
    out = struct.pack("<IBI", ZSTD_MAGIC, 0xA0, len(data))     # the size takes four bytes; no checksum
    pieces = [data[at:at + ZSTD_BLOCK_LIMIT] for at in range(0, len(data), ZSTD_BLOCK_LIMIT)] or [b""]
    for number, piece in enumerate(pieces, 1):
        is_run = len(piece) > 1 and piece == piece[:1] * len(piece)
        out += zstd_block(RUN if is_run else RAW, len(piece), piece[:1] if is_run else piece, number == len(pieces))
    return out


def zstd_unpacked(frame, size):
    """What is packed in a frame, at most so many bytes; ValueError for one that is damaged, or without the library."""
    name = ctypes.util.find_library("zstd")
    if not name:
        raise ValueError("there is no zstd here")
    unpack = ctypes.CDLL(name).ZSTD_decompress
    unpack.restype, unpack.argtypes = ctypes.c_size_t, [ctypes.c_char_p, ctypes.c_size_t] * 2
    into = ctypes.create_string_buffer(size)
    written = unpack(into, size, frame, len(frame))
    if written > size:                                          # the number of an error
        raise ValueError("a frame that is damaged")
    return into.raw[:written]
