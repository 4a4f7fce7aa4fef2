#!/usr/bin/env python3
"""Files for sm_100 and later whose two views do not fit together are refused.

    views.py [--culd PATH]

Each damage is made to a sound object, one field at a time. culd must end with
status 1, name the section, say what is wrong, and write nothing. The sound
object links. docs/mercury.md lists what is checked. Where --trust-inputs
would link it, culd says so, and else not. Objects whose functions are all weak
are damaged in many places, and must be judged behind three sound copies as
they are alone.
"""
import argparse
import os
import pathlib
import struct
import subprocess
import sys
import tempfile

TESTS = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(TESTS))

from elf64 import Elf, SHF_MERCURY                              # noqa: E402

CAPSULE, STORE_RECORD = 0x70000016, b"\x02\x38\x0e"
CONSTANT_RECORD = b"\x02\x22\x0e\x06"
TRUST_HINT = "--trust-inputs links it"
DEFAULT_CULD = os.environ.get("CULD", str(TESTS.parent / "build" / "culd"))


def first(elf, start):
    return next(s for s in elf.sections if s.name.startswith(start) and s.size)


def kernel_table(elf):
    """Relocations of a kernel: what nothing calls is left out unread."""
    kernels = [".rela.text." + s.name for s in elf.symbols if s.type == 2 and s.other & 0x10]
    return next(s for s in elf.sections if s.name in kernels and s.size)


def capsule_word(at, value):
    def damage(elf):
        section = first(elf, ".nv.capmerc.text.")
        struct.pack_into("<I", section.data, at, value)
        return section.name
    return damage


def own_number(elf):
    section = first(elf, ".nv.capmerc.text.")
    struct.pack_into("<I", section.data, 0, section.index)
    return section.name


def cut_capsule(elf):
    section = first(elf, ".nv.capmerc.text.")
    del section.data[-2:]
    return section.name


def longer_text(elf):
    section = first(elf, ".nv.capmerc.text.")
    text, = struct.unpack_from("<I", section.data)
    elf.sections[text].data += bytes(16)
    return ".symtab"


def field(start, name, value):
    def damage(elf):
        section = first(elf, start)
        setattr(section, name, value)
        return section.name
    return damage


def one_symbol_more(elf):
    elf.mercury_symbols.extend([elf.mercury_symbols[-1]] * 100)
    return ".symtab"


def other_symbol(elf):
    elf.mercury_symbols[-1].info ^= 1
    return ".symtab"


def other_place(elf):
    elf.mercury_symbols[-1].value += 0x10
    return ".symtab"


def filled_field(elf):
    """What a relocation will fill in has a value already."""
    section = next(s for s in elf.sections if s.name.startswith(".rela.text.") and s.size)
    place, kind = next(struct.unpack_from("<QI", section.data, at)
                       for at in range(0, section.size, 24)
                       if struct.unpack_from("<I", section.data, at + 8)[0] in (55, 56, 57, 75))
    text = elf.sections[section.info]
    text.data[place + 5] ^= 0x10
    return text.name


def unused_bit(elf):
    """The bitmap's last bit, where there are fewer entries."""
    section = next(s for s in elf.sections if s.type == CAPSULE
                   and struct.unpack_from("<I", s.data, 8)[0] % 32)
    count, = struct.unpack_from("<I", section.data, 8)
    section.data[12 + (count + 31) // 32 * 4 - 1] |= 0x80
    return section.name


def no_mercury(elf):
    elf.sections = [s for s in elf.sections if not s.flags & SHF_MERCURY]
    elf.mercury_symbols = []
    return ""


def no_twin(elf):
    """A section more of SASS, of a kind that mercury must have, too."""
    text = first(elf, ".text.")
    name = ".nv.info." + text.name[len(".text."):]
    elf.add_section(name, type=0x70000000, flags=0x40, link=elf.symtab().index,
                    info=text.index, align=4).data = bytearray(b"\1\4\0\0")
    return name


def fewer_relocations(elf):
    section = kernel_table(elf)
    del section.data[-24:]
    return section.name


def other_relocation(elf):
    section = kernel_table(elf)
    info, = struct.unpack_from("<Q", section.data, 8)
    struct.pack_into("<Q", section.data, 8, info ^ 1 << 32)
    return section.name


def relocation_past_the_end(elf):
    section = kernel_table(elf)
    struct.pack_into("<Q", section.data, 0, 1 << 40)
    return section.name


def unknown_relocation(elf):
    section = kernel_table(elf)
    struct.pack_into("<I", section.data, 8, 0xEEEE)
    return section.name


def relocation_word(at, width, change):
    """A field of the first relocation of a kernel, changed."""
    def damage(elf):
        section = kernel_table(elf)
        value = int.from_bytes(section.data[at:at + width], "little")
        section.data[at:at + width] = (change(value) % (1 << 8 * width)).to_bytes(width, "little")
        return section.name
    return damage


def swapped_places(elf):
    """Two relocations against one symbol, each at the place of the other."""
    section = kernel_table(elf)
    symbols = [section.data[at + 12:at + 16] for at in range(0, len(section.data), 24)]
    one, two = next((a, b) for a in range(len(symbols)) for b in range(a) if symbols[a] == symbols[b])
    a, b = section.data[24 * one:24 * one + 8], section.data[24 * two:24 * two + 8]
    section.data[24 * one:24 * one + 8], section.data[24 * two:24 * two + 8] = b, a
    return section.name


def records(section):
    at = 0
    while at < len(section.data):
        yield at, section.data[at + 1]
        at += 4 + (struct.unpack_from("<H", section.data, at + 2)[0] if section.data[at] == 4 else 0)


def record_word(attribute, at, change, said_of=""):
    """A word of a record that SASS has, changed."""
    def damage(elf):
        section, begin = next((s, begin) for s in elf.sections if s.name.startswith(".nv.info.")
                              for begin, own in records(s) if own == attribute)
        value, = struct.unpack_from("<I", section.data, begin + at)
        struct.pack_into("<I", section.data, begin + at, change(value))
        return said_of or section.name
    return damage


def frame_byte(start, at, change):
    def damage(elf):
        section = first(elf, start)
        section.data[at] = change(section.data[at])
        return ".debug_frame"
    return damage


def frame_distance(elf):
    """The last distance of the first function, which is not one of instructions now."""
    section = first(elf, ".debug_frame")
    end = 12 + struct.unpack_from("<Q", section.data, 4)[0]
    end += 12 + struct.unpack_from("<Q", section.data, end + 4)[0]
    at = section.data.rindex(b"\4", 0, end - 4)
    section.data[at + 1] ^= 1
    return ".debug_frame"


def capsules(elf):
    return (section for section in elf.sections if section.type == CAPSULE)


def instruction(find, change):
    """The first instruction for which `find` says so, changed."""
    def damage(elf):
        texts = (elf.sections[struct.unpack_from("<I", capsule.data)[0]] for capsule in capsules(elf))
        text, at = next((text, at) for text in texts for at in range(0, len(text.data), 16) if find(text.data, at))
        change(text.data, at)
        return text.name
    return damage


def is_end(text, at):
    """The branch to itself behind the code."""
    return text[at:at + 4] == b"\x47\x79\xfc\0"


def is_store(text, at):
    """STG, which mercury has a record of."""
    return int.from_bytes(text[at:at + 2], "little") & 0xfff == 0x986


def is_exit(text, at):
    """EXIT, which follows from no record."""
    return int.from_bytes(text[at:at + 2], "little") & 0xfff == 0x94d


def is_branch(text, at):
    """One that follows from no record and is not uniform; not the one behind the code, which leads to itself."""
    return int.from_bytes(text[at:at + 2], "little") & 0xfff == 0x947 and not is_end(text, at) and not text[at + 11] & 8


def is_arithmetic(text, at):
    return int.from_bytes(text[at:at + 2], "little") & 0xfff in (0x210, 0x810, 0x20c, 0x80c, 0x224, 0x825)


def no_operands(data, at):
    data[at + 1] &= 0xf1


def flip(offset, bit):
    def change(data, at):
        data[at + offset] ^= 1 << bit
    return change


def bits_of_record(head, byte, bits):
    """Bits of the first record that begins so, changed."""
    def damage(elf):
        capsule = next(capsule for capsule in capsules(elf) if head in capsule.data)
        capsule.data[capsule.data.index(head) + byte] ^= bits
        return ".text."
    return damage


def record_of_a_store(byte, bits):
    return bits_of_record(STORE_RECORD, byte, bits)


def record_of_a_constant(byte, bits):
    return bits_of_record(CONSTANT_RECORD, byte, bits)


def frame_size(elf):
    """How much code the first frame describes."""
    section = first(elf, ".debug_frame")
    at = 12 + struct.unpack_from("<Q", section.data, 4)[0] + 28
    section.data[at] ^= 0x10
    return section.name


def frame_entry(at, change):
    def damage(elf):
        section = first(elf, ".nv.merc.rela.debug_frame")
        section.data[at] = change(section.data[at])
        return section.name
    return damage


def two_kinds(elf):
    elf.header["flags"] |= 4
    return "the ELF header"


def mercury_place(change):
    """Where mercury has the first relocation of a kernel."""
    def damage(elf):
        section = kernel_table(elf)
        twin = next(s for s in elf.sections if s.name == ".nv.merc" + section.name)
        place, = struct.unpack_from("<Q", twin.data)
        struct.pack_into("<Q", twin.data, 0, change(place))
        return section.name
    return damage


def mercury_exit(elf):
    """An exit of mercury between instructions."""
    section, begin = next((s, begin) for s in elf.sections if s.name.startswith(".nv.merc.nv.info.")
                          for begin, own in records(s) if own == 0x1c)
    section.data[begin + 4] ^= 4
    return section.name


def other_exit(elf):
    """The exit of mercury where another instruction is."""
    section, begin = next((s, begin) for s in elf.sections if s.name.startswith(".nv.merc.nv.info.")
                          for begin, own in records(s) if own == 0x1c)
    struct.pack_into("<I", section.data, begin + 4, 0)
    return section.name[len(".nv.merc"):]


def mercury_distance(elf):
    """The last distance of the first function, one instruction less."""
    section = first(elf, ".nv.merc.debug_frame")
    end = 12 + struct.unpack_from("<Q", section.data, 4)[0]
    end += 12 + struct.unpack_from("<Q", section.data, end + 4)[0]
    at = section.data.rindex(b"\4", 0, end - 4)
    distance, = struct.unpack_from("<I", section.data, at + 1)
    struct.pack_into("<I", section.data, at + 1, distance - 16)
    return ".debug_frame"


def other_mask(elf):
    section = first(elf, ".nv.compat")
    begin = next(begin for begin, own in records(section) if own == 11)
    section.data[begin + 4] ^= 0x20
    return section.name


def other_data_size(elf):
    section = first(elf, ".nv.merc.nv.constant.user")
    section.data += bytes(4)
    return section.name


# What is damaged -> how, and what culd says.
DAMAGES = {
    "a capsule of another section": (capsule_word(0, 1), "section 1 is not its text"),
    "a capsule of itself": (own_number, "is not its text"),
    "a capsule of no section": (capsule_word(0, 0xFFFFFFFF), "is not its text"),
    "a capsule of another version": (capsule_word(4, 0xC0000002), "of an unknown version"),
    "a capsule with too many entries": (capsule_word(8, 0x7FFFFFFF), "too short for its entries"),
    "a capsule with fewer entries": (capsule_word(8, 0), "does not end with its last entry"),
    "a capsule that is cut off": (cut_capsule, "an entry of the capsule is damaged"),
    "a text that is longer": (longer_text, "is not all of its section"),
    "a twin of an unknown type": (field(".nv.merc.nv.info", "type", 0x70000099),
                                  "do not fit the name"),
    "a section without its twin": (no_twin, ""),
    "another count of symbols": (one_symbol_more, "symbols, and"),
    "another kind of symbol": (other_symbol, "is not the same in both views"),
    "a symbol of mercury at another place": (other_place, "is not the same in both views"),
    "a field with a value before its relocation": (filled_field, "is not empty"),
    "a bit of no entry": (unused_bit, "entries that there are not"),
    "a file without its mercury": (no_mercury, ""),
    "fewer relocations": (fewer_relocations, "the other view has no such relocation"),
    "relocations of other symbols": (other_relocation,
                                     "the relocations are not those of the other view"),
    "a relocation past the end": (relocation_past_the_end, "offset 0x10000000000"),
    "a relocation of an unknown type": (unknown_relocation, "relocation of the unknown type"),
    "a relocation between instructions": (relocation_word(0, 8, lambda place: place + 4),
                                          "in a section of"),
    "a relocation of another kind": (relocation_word(8, 4, lambda kind: 62 if kind != 62 else 56), "in the other view"),
    "relocations in another order": (swapped_places, "is not that of the other view"),
    "parameters that do not fill their bank": (record_word(0x0a, 8, lambda word: word - (4 << 16)),
                                               "in a bank of"),
    "two sizes of parameters": (record_word(0x19, 0, lambda word: word ^ 1 << 18),
                                "bytes of parameters, and"),
    "a record that mercury has not": (record_word(0x36, 0, lambda word: word ^ 0x0300, ".nv.merc.nv.info."),
                                      "the other view says something else"),
    "a frame of another register": (frame_byte(".debug_frame", 26, lambda byte: byte ^ 1),
                                    "the other view says something else"),
    "a frame of another register in mercury": (frame_byte(".nv.merc.debug_frame", 26, lambda byte: byte ^ 1),
                                               "the other view says something else"),
    "a frame of mercury that cannot be read": (frame_byte(".nv.merc.debug_frame", 0, lambda byte: byte ^ 1),
                                               "an entry does not fit"),
    "a frame of another unit": (frame_byte(".debug_frame", 22, lambda byte: byte + 4),
                                "what frames have in common"),
    "a frame between instructions": (frame_distance, "the other view says something else"),
    "no end behind the code": (instruction(is_end, flip(8, 3)), "is not the one that the capsule has"),
    "an instruction behind the code": (instruction(is_end, flip(32, 1)), "is not the one that the capsule has"),
    "a scoreboard behind the code": (instruction(is_end, flip(30, 1)), "is not the one that the capsule has"),
    "another register than in mercury": (instruction(is_store, flip(4, 1)),
                                         "is not the one that the capsule has"),
    "another guard than in mercury": (instruction(is_store, flip(1, 4)),
                                      "is not the one that the capsule has"),
    "another opcode than in mercury": (instruction(is_store, flip(0, 2)),
                                       "is not the one that the capsule has"),
    "another register in mercury": (record_of_a_store(20, 0x10), "is not the one that the capsule has"),
    "a register that does not exist": (record_of_a_store(13, 0x80), "is not the one that the capsule has"),
    "a result of more registers": (record_of_a_constant(10, 0x04), "is not the one that the capsule has"),
    "a constant of another bank": (record_of_a_constant(12, 0x02), "is not the one that the capsule has"),
    "a constant of the system": (record_of_a_constant(12, 0x20), "is not the one that the capsule has"),
    "a constant of a role that does not exist": (record_of_a_constant(13, 0x04), "is not the one that the capsule has"),
    "a constant of a size that does not exist": (record_of_a_constant(6, 0x80), "is not the one that the capsule has"),
    "a constant beyond its bank": (record_of_a_constant(30, 0x01), "is not the one that the capsule has"),
    "a frame of another size": (frame_size, "has another size"),
    "a frame's relocation elsewhere": (frame_entry(24, lambda byte: byte ^ 0x80),
                                       "the other view says something else"),
    "a frame's relocation of another kind": (frame_entry(8, lambda byte: byte ^ 1),
                                             "the other view says something else"),
    "a frame's relocation with another addend": (frame_entry(21, lambda byte: byte ^ 1),
                                                 "the other view says something else"),
    "a twin of another alignment": (field(".nv.merc.debug_frame", "align", 4), "in the other view"),
    "a file of two kinds": (two_kinds, "a file of kind 0x6"),
    "a relocation of mercury between fields": (mercury_place(lambda place: place ^ 2),
                                               "is not that of the other view"),
    "a relocation of mercury past the end": (mercury_place(lambda place: place + (1 << 40)),
                                             "the relocation is past the end"),
    "a relocation of mercury at another instruction": (mercury_place(lambda place: place + 16),
                                                       "is not that of the other view"),
    "an exit of mercury at another instruction": (other_exit, "no instruction of the other view"),
    "a frame of mercury at another instruction": (mercury_distance, "the other view says something else"),
    "an exit of mercury between instructions": (mercury_exit, "0x1c: there is no instruction at"),
    "a reserved bit": (instruction(is_exit, flip(15, 7)), "an instruction that no function has"),
    "an instruction without operands": (instruction(is_arithmetic, no_operands), "an instruction that no compiler writes without a record"),
    "an operand that a branch has not": (instruction(is_branch, flip(3, 1)), "an instruction that no compiler writes without a record"),
    "a wait that nobody has a reason for": (instruction(is_exit, flip(14, 7)), TRUST_HINT),
    "a record of another kind": (record_of_a_store(3, 0x20), "is not the one that the capsule has"),
    "targets of another family": (other_mask, "that runs on targets"),
    "data of another size": (other_data_size, "in the other view"),
}


def slot_elsewhere(elf):
    section = first(elf, ".rela.nv.constant0.")
    place, = struct.unpack_from("<Q", section.data)
    struct.pack_into("<Q", section.data, 0, place - 4)
    return section.name


def longer(start):
    def damage(elf):
        section = first(elf, start)
        section.data += bytes(4)
        return ".nv.constant0." + section.name.rsplit(".", 1)[1]
    return damage


def other_bank_record(elf):
    """Two records of textures, none of surfaces."""
    section = next(s for s in elf.sections if s.name.startswith(".nv.info.") and
                   any(own == 0x16 for _, own in records(s)))
    begin = next(begin for begin, own in records(section) if own == 0x16)
    section.data[begin + 1] = 0x15
    return section.name


# The same for whole programs, whose slots of textures are behind the parameters in SASS alone.
WHOLE_PROGRAM_DAMAGES = {
    "a slot at another place": (slot_elsewhere, "is not that of the other view"),
    "a bank that is longer than its slots": (longer(".nv.constant0.reads_one"), "parameters and slots up to"),
    "slots that are longer in mercury": (longer(".nv.merc.nv.constant.entry_image_header_indices.reads_one"),
                                         "parameters and slots up to"),
    "a bank that is longer than its parameters": (longer(".nv.constant0.reads_none"), "parameters and slots up to"),
    "slots of textures alone": (other_bank_record, "and 0 of surfaces"),
}


NOT_OF_THE_CAPSULE = "is not the one that the capsule has"
ATOMIC_RECORD = b"\x02\x4e\x52\x32"
INSTRUCTION_SETTING = b"\x31\x02\x00\x58\x00\x04\x01"


def is_sum_of_nothing(text, at):
    return text[at:at + 8] == b"\x90\xf2\xff\xff\xff\0\0\0"


def other_value(elf):
    section = first(elf, ".nv.merc.nv.global.init")
    section.data[1] ^= 1
    return ".nv.global.init"


def records_of_sass(elf):
    section = first(elf, ".nv.merc.nv.info.")
    section.info, = struct.unpack_from("<I", elf.sections[section.info].data)
    return section.name


# Code that is scheduled by settings, with a sanitizer's checks, what threads change at once, and functions inside kernels.
CASE_DAMAGES = {
    "mercury/settings-of-the-scheduler": {
        "a second value of a setting that has one": (bits_of_record(INSTRUCTION_SETTING, 11, 1), NOT_OF_THE_CAPSULE),
    },
    "mercury/sums-of-nothing-delay-others-by-settings": {
        "a sum of something": (instruction(is_sum_of_nothing, flip(2, 1)), NOT_OF_THE_CAPSULE),
    },
    "mercury/calls-of-sanitizers-that-come-back-far-away": {
        "a sanitizer's store of another register": (instruction(is_store, flip(4, 1)), NOT_OF_THE_CAPSULE),
    },
    "mercury/atomic-operations-without-results-have-scoreboards-of-their-own": {
        "a kind that is one bit away from a usual one": (bits_of_record(ATOMIC_RECORD, 1, 0x10), NOT_OF_THE_CAPSULE),
    },
    "whole-programs/bytes-of-addresses-of-functions-inside-kernels": {
        "a value that the other view has not": (other_value, "not the values of the other view"),
        "records of mercury that are about SASS": (records_of_sass, "which is not the counterpart"),
    },
}


def link(culd, target, files, *options):
    with tempfile.TemporaryDirectory(prefix="culd-views-") as folder:
        for name, data in files.items():
            pathlib.Path(folder, name).write_bytes(data)
        done = subprocess.run([culd, "-arch=" + target, *options, *files, "-o", "out.cubin"], cwd=folder,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
                              timeout=60)
        return done.returncode, done.stdout, pathlib.Path(folder, "out.cubin").exists()


def check_damage(culd, target, files, damaged, damage, said):
    elf = Elf(files[damaged])
    try:
        name = damage(elf)
    except StopIteration:
        return None
    files = dict(files, **{damaged: elf.pack()})
    status, output, is_written = link(culd, target, files)
    if status != 1 or is_written or name not in output or said not in output:
        return "status %d, %s: %s" % (status, "an output" if is_written else "no output", output.strip())
    trusted, other_output, is_written = link(culd, target, files, "--trust-inputs")
    if is_written != (TRUST_HINT in output):
        return "trusted: %s; else: %s" % (other_output.strip() or "links", output.strip())
    return "" if trusted == (0 if is_written else 1) else "trusted: status %d" % trusted


WEAK_OBJECTS = ["mercury/guarded-exits-behind-barriers-do-not-wait", "weak/frame-of-a-replaced-kernel-has-what-both-said",
                "weak/jump-table-behind-what-a-loser-left",
                "debug/rows-of-a-loser-that-say-nothing-new-are-left-out"]
PLACES_OF_A_SECTION = 12


def damaged_places(data):
    """The object with one bit of it changed, in each of its sections here and there."""
    for section in Elf(data).sections:
        for i in range(min(section.size, PLACES_OF_A_SECTION)):
            elf = Elf(data)
            damaged = elf.sections[section.index].data
            at = i * len(damaged) // PLACES_OF_A_SECTION if len(damaged) > PLACES_OF_A_SECTION else i
            if at < len(damaged):
                damaged[at] ^= 1 << (at + i) % 8
                yield "%s + 0x%x" % (section.name, at), elf.pack()


def check_copies(culd, target, path):
    """What was found sound in earlier inputs says nothing of what is other in a later one."""
    sound = path.read_bytes()
    copies = {"copy%d.cubin" % i: sound for i in range(3)}
    for place, damaged in damaged_places(sound):
        alone = link(culd, target, {"damaged.cubin": damaged}, "--threads=1")
        later = link(culd, target, dict(copies, **{"damaged.cubin": damaged}), "--threads=1")
        is_refused = "is damaged" in alone[1]
        if is_refused != ("is damaged" in later[1]) or (is_refused and alone != later):
            return "%s: alone %s, later %s" % (place, alone, later)
    return "" if link(culd, target, copies)[0] == 0 else "does not link"


def programs():
    """Targets, objects, and damages to them."""
    slots = TESTS / "links" / "whole-programs" / "slots-of-textures"
    for target in ("sm_100", "sm_120"):
        yield target, TESTS / "fixtures" / target, DAMAGES
    for target in ("sm_100", "sm_121f"):
        yield target, slots / target, WHOLE_PROGRAM_DAMAGES
    for case, damages in CASE_DAMAGES.items():
        yield "sm_100", TESTS / "links" / case / "sm_100", damages


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--culd", default=DEFAULT_CULD)
    culd = str(pathlib.Path(parser.parse_args().culd).resolve())
    passed = failed = 0
    for target, folder, damages in programs():
        files = {path.name: path.read_bytes() for path in sorted(folder.glob("*.cubin"))
                 if path.name != "out.cubin"}
        checks = [("a sound program", "" if link(culd, target, files)[0] == 0 else "does not link")]
        for what, (damage, said) in damages.items():
            verdicts = [check_damage(culd, target, files, name, damage, said) for name in files]
            ran = [verdict for verdict in verdicts if verdict is not None]
            checks.append((what, next(filter(None, ran), "" if ran else "no object has what it damages")))
        for what, problem in checks:
            passed += problem == ""
            if problem:
                failed += 1
                print("not ok %s@%s\n    %s" % (what, target, problem[:400]))
    for name in WEAK_OBJECTS:
        problem = check_copies(culd, "sm_100", TESTS / "links" / name / "sm_100" / "a.cubin")
        passed += problem == ""
        if problem:
            failed += 1
            print("not ok copies of %s\n    %s" % (name, problem[:400]))
    print("%d passed, %d failed, 0 skipped" % (passed, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
