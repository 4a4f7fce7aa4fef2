"""Differences of mutants.py that are meant: docs/differences.md has them all."""
import re
import struct

from changed_bytes import changes
from input_facts import CONSTANT, SHARED, Facts
from linkcase import load_cases
from section_difference import sections as output_sections

INSTRUCTION = 16
# Bits of the last four bytes of an instruction that are control: stalls, scoreboards, waits, reuse.
CONTROL = 0xFFFFFE00
CAPSULE, MACHINE = 0x70000016, 190
FUNCTION, ENTRY = 2, 0x10
OF_ALL_CODE = {".symtab", ".debug_frame", ".rela.debug_frame"}

# ---- where the damage is ----

def image_at(data, offset):
    """Where the last device image begins that may hold the offset, or None."""
    base = data.rfind(b"\x7fELF", 0, offset + 1)
    while base >= 0:
        if len(data) >= base + 64 and struct.unpack_from("<H", data, base + 18)[0] == MACHINE:
            return base
        base = data.rfind(b"\x7fELF", 0, base)
    return None


def sections(data, base):
    """(name, type, offset in the file, size) of each."""
    table, = struct.unpack_from("<Q", data, base + 40)
    count, names = struct.unpack_from("<HH", data, base + 60)
    names = base + struct.unpack_from("<Q", data, base + table + 64 * names + 24)[0]
    for at in range(base + table, base + table + 64 * count, 64):
        name, kind = struct.unpack_from("<II", data, at)
        offset, size = struct.unpack_from("<QQ", data, at + 24)
        yield data[names + name:data.index(b"\0", names + name)].decode("latin-1"), kind, base + offset, size


def implied_instructions(capsule):
    """Numbers of the instructions that mercury has no record of."""
    count, = struct.unpack_from("<I", capsule, 8)
    at, instruction, implied = 12 + (count + 31) // 32 * 4, 0, set()
    for number in range(count):
        if at + 2 > len(capsule): # a damaged one
            break
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


def is_control(byte, flipped):
    """Are the bits of that byte of an instruction control bits?"""
    shift = 8 * (byte - (INSTRUCTION - 4))
    return shift >= 0 and not flipped << shift & ~CONTROL


def code_without_record(data, offset, flipped):
    """The section, if the bits are those of an instruction that mercury has no record of, or control bits."""
    base = image_at(data, offset)
    if base is None:
        return None
    rows = list(sections(data, base))
    for _, kind, begin, size in rows:
        if kind != CAPSULE:
            continue
        capsule = data[begin:begin + size]
        name, _, text, length = rows[struct.unpack_from("<I", capsule)[0]]
        if text <= offset < text + length:
            instruction, byte = divmod(offset - text, INSTRUCTION)
            return name if is_control(byte, flipped) or instruction in implied_instructions(capsule) else None
    return None


def changed_code(mutant):
    """Names of the sections, if all damage is in code of which the file says nothing else."""
    names, damaged = set(), mutant.files()
    for file in mutant.edits:
        names |= {change and code_without_record(*change) for change in changes(mutant.link.files[file], damaged[file])}
    return names if None not in names else set()


def drops_equal_constants(sections, outputs):
    """Did nvlink leave out a part of the constants that is like one before it?"""
    if not sections or not {".nv.constant3"} <= set(sections) <= {".nv.constant3", ".nv.merc.nv.constant.user"}:
        return False
    theirs, own = ({name: content for name, _, content in output_sections(image)}[".nv.constant3"] for image in outputs)
    size = len(own) - len(theirs)
    return size > 0 and any(own[:at] + own[at + size:] == theirs and own[at:at + size] in own[:at]
                            for at in range(size, len(own) - size + 1, 4))


def known(mutant, finding, outputs):
    """Why the finding is none, or None; its sections are those that differ because of the damage. The outputs are
    nvlink's and culd's, None where there is none."""
    facts = Facts(mutant.files().values())
    if finding.sections and finding.sections <= changed_code(mutant):
        return "code that was changed after it was compiled, without a record in mercury"
    if all(outputs) and drops_equal_constants(finding.sections, outputs):
        return "equal constants, of which nvlink leaves out the second"
    if facts.defined_open_arrays():
        return "a shared array without a size that another input defines with one"
    if facts.has_aliases() and "reference to deleted s" in finding:
        return "an alias that nothing uses"
    return None


# ---- links that differ without any damage ----

def kernels_of(image):
    """Their names."""
    contents = {name: content for name, _, content in output_sections(image)}
    names = contents[".strtab"]
    return {names[name:names.index(b"\0", name)].decode() for name, info, other, *_ in struct.iter_unpack(
        "<IBBHQQ", contents[".symtab"]) if info & 15 == FUNCTION and other & ENTRY}


def differ_in_control_bits(first, second, names):
    """Are the sections code of kernels, with other control bits alone?"""
    kernels = kernels_of(first)
    mine, theirs = ({name: content for name, _, content in output_sections(image)} for image in (first, second))
    for name in names:
        if not name.startswith(".text.") or name[len(".text."):] not in kernels or len(mine[name]) != len(theirs[name]):
            return False
        for one, other in zip(struct.iter_unpack("<QII", mine[name]), struct.iter_unpack("<QII", theirs[name])):
            if one[:2] != other[:2] or (one[2] ^ other[2]) & ~CONTROL:
                return False
    return True


def are_of(names, kernels):
    return all(name in OF_ALL_CODE or any(name.endswith("." + kernel) for kernel in kernels) for name in names)


def is_newer(link):
    return int(re.search(r"\d+", link.target).group()) >= 100


# Links that differ as they are and are no case of their own: why, and whether it is so.
UNDAMAGED = [
    ("a relocatable link: nvlink applies relocations and drops them", lambda facts, options, link, finding:
     "-r" in options and (facts.has_space(SHARED, CONSTANT) or facts.has_images())),
    ("a whole program for debuggers: nvlink forgets shared memory", lambda facts, options, link, finding:
     "-g" in options and facts.has_whole_programs() and facts.has_space(SHARED)),
    ("a whole program for a debugger", lambda facts, options, link, finding:
     "-g" in options and is_newer(link) and facts.has_whole_programs()),
    ("relocations that compilers do not write, in a link for debuggers", lambda facts, options, link, finding:
     "-g" in options and facts.has_odd_relocations()),
    ("SASS alone in a link for debuggers: exits are not guarded", lambda facts, options, link, finding:
     "-g" in options and is_newer(link) and facts.has_sass_alone()),
    ("an array of open size whose relocations are to stay", lambda facts, options, link, finding:
     facts.open_arrays() and any("preserve-relocs" in option for option in options) and
     "reference to deleted s" in finding),
    ("slots of a kernel that is left out, but whose address is taken", lambda facts, options, link, finding:
     is_newer(link) and facts.has_images() and any("kernels-used" in option for option in options)),
]


def known_undamaged(link, options, finding, outputs, copied):
    """Why this link differs as it is; `copied` are the kernels that culd says it copies. None: it must not."""
    case = link.name.split(" in ")[0]
    if any(own.name == case and own.differs for own in load_cases()):
        return "differs undamaged: a case that says so"
    if finding.sections and differ_in_control_bits(*outputs, finding.sections):
        return "differs undamaged: control bits of kernels"
    if finding.sections and copied and are_of(finding.sections, copied):
        return "differs undamaged: kernels that are copied as they came"
    facts = Facts(link.images)
    why = next((why for why, holds in UNDAMAGED if holds(facts, set(link.options + options), link, finding)), None)
    return why and "differs undamaged: " + why
