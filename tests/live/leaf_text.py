"""Kernels and their instructions in a cubin, as far as the tests of leaf kernels need them."""
import struct

from elf64 import Elf

INSTRUCTION = struct.Struct("<QQ")
CALLS = (0x343, 0x943, 0x944)
STO_ENTRY = 0x10
INDIRECT_BRANCH_TARGETS = 0x34


def instructions(text):
    """[(low word, high word)]"""
    return list(INSTRUCTION.iter_unpack(text))


def leaf_kernels(image):
    """name -> SASS of every kernel that calls nothing"""
    elf, found = Elf(image), {}
    kernels = {symbol.name for symbol in elf.symbols if symbol.other & STO_ENTRY}
    for section in elf.sections:
        name = section.name[len(".text."):]
        if section.name.startswith(".text.") and name in kernels:
            text = bytes(section.data)
            if not any(low & 0xFFF in CALLS for low, _ in instructions(text)):
                found[name] = text
    return found


def jumps(image, name):
    """[(place, [targets])] of the indirect branches of a kernel"""
    elf = Elf(image)
    found = []
    for record in elf.records(elf.section(".nv.info." + name)):
        if record.attribute == INDIRECT_BRANCH_TARGETS:
            found += read_jumps(record.payload)
    return sorted(found)


def read_jumps(payload):
    at = 0
    while at + 12 <= len(payload):
        place, _, count = struct.unpack_from("<III", payload, at)
        yield place, list(struct.unpack_from("<%dI" % count, payload, at + 12))
        at += 12 + 4 * count
