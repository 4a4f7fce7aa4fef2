"""Differences of mutants.py that are meant: docs/differences.md has them all."""
import struct

SASS_INSTRUCTION, FIRST_CONTROL_BYTE = 16, 13
CAPSULE, MACHINE = 0x70000016, 190


def image_at(data, offset):
    """Where the last device image begins that may hold the offset, or None."""
    base = data.rfind(b"\x7fELF", 0, offset + 1)
    while base >= 0:
        if len(data) >= base + 64 and struct.unpack_from("<H", data, base + 18)[0] == MACHINE:
            return base
        base = data.rfind(b"\x7fELF", 0, base)
    return None


def sections(data, base):
    """(type, offset in the file, size) of each."""
    table, = struct.unpack_from("<Q", data, base + 40)
    count, = struct.unpack_from("<H", data, base + 60)
    for at in range(base + table, base + table + 64 * count, 64):
        kind, = struct.unpack_from("<I", data, at + 4)
        offset, size = struct.unpack_from("<QQ", data, at + 24)
        yield kind, base + offset, size


def implied_instructions(capsule):
    """Numbers of the instructions that mercury has no record of."""
    count, = struct.unpack_from("<I", capsule, 8)
    at, instruction, implied = 12 + (count + 31) // 32 * 4, 0, set()
    for number in range(count):
        covered = 1
        if capsule[12 + number // 8] >> number % 8 & 1:
            implied.add(instruction)
        else:
            word, = struct.unpack_from("<H", capsule, at)
            if word & 0x7F in (0x50, 0x51):
                covered, at = word >> 7, at + 2
            if word & 0x7F != 0x50:
                first = capsule[at]
                at += 16 * (first & 15) if first < 0x10 else 4
        instruction += covered
    return implied


def is_code_without_record(data, offset):
    """Is the byte one of an instruction that mercury has no record of, or of control bits?"""
    base = image_at(data, offset)
    if base is None:
        return False
    rows = list(sections(data, base))
    for kind, begin, size in rows:
        if kind != CAPSULE:
            continue
        capsule = data[begin:begin + size]
        _, text, length = rows[struct.unpack_from("<I", capsule)[0]]
        if text <= offset < text + length:
            instruction, byte = divmod(offset - text, SASS_INSTRUCTION)
            return byte >= FIRST_CONTROL_BYTE or instruction in implied_instructions(capsule)
    return False


def changed_bytes(data, edits):
    for edit in edits:
        if edit.new is None or edit.offset + len(edit.new) > len(data):
            yield None
            continue
        for number, byte in enumerate(edit.new):
            if data[edit.offset + number] != byte:
                yield edit.offset + number


def changes_code_alone(mutant):
    """Is all damage in code of which the file says nothing else?"""
    places = [(mutant.link.files[name], place) for name, edits in mutant.edits.items()
              for place in changed_bytes(mutant.link.files[name], edits)]
    return bool(places) and all(place is not None and is_code_without_record(data, place)
                                for data, place in places)


def known(mutant, finding):
    """Why the finding is none, or None."""
    if finding == "bytes: sections .text.*" and changes_code_alone(mutant):
        return "code that was changed after it was compiled, without a record in mercury"
    return None
