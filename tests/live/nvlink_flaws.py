"""Sees in two linked cubins whether they differ only where nvlink's is wrong, in ways that docs/differences.md lists.

Each flaw is recognised by what nvlink's own output shows, not by the difference alone:

    two targets     a word of a jump table has relocations to two places: those of a replaced definition were kept
    memory          a list of registers for debuggers has places at or behind the end of the function's mercury code: what
                    nvlink writes for them is what was in its memory
    equal names     a list of registers is of a name that several functions have
    second names    another name of a function stands before it: what describes the function has no places
"""
import re
import struct

from section_difference import sections

TABLES = ".nv.merc.rela.nv.constant.optimizer."
REGISTERS = ".nv_debug_info_reg_sass"
FUNCTION = 2


def jump_tables_with_two_targets(parts):
    """Names of the kernels."""
    kernels = set()
    for name, _, content in parts:
        if name.startswith(TABLES):
            targets = {}
            for offset, _, addend in struct.iter_unpack("<QQq", content):
                targets.setdefault(offset, set()).add(addend)
            if any(len(places) > 1 for places in targets.values()):
                kernels.add(name[len(TABLES):])
    return kernels


def register_lists(content):
    """[(function, [(from, to)], the whole list)]"""
    at, lists = 0, []
    while at < len(content):
        begin, end = at, content.index(b"\0", at)
        name = content[at:end].decode()
        count, = struct.unpack_from("<I", content, end + 1)
        at, places = end + 5, []
        for _ in range(count):
            at = content.index(b"\0", at + 4) + 5
            places.append(struct.unpack_from("<II", content, at))
            at += 8
        lists.append((name, places, content[begin:at]))
    return lists


def mercury_sizes(parts):
    """{function: [sizes of its mercury code]}"""
    contents = {name: content for name, _, content in parts}
    names, sizes = contents[".strtab"], {}
    for name, info, _, _, _, size in struct.iter_unpack("<IBBHQQ", contents[".nv.merc.symtab"]):
        if info & 15 == FUNCTION:
            sizes.setdefault(names[name:names.index(b"\0", name)].decode(), []).append(size)
    return sizes


def registers_flaw(parts, other_parts):
    """Why the lists of registers cannot be compared; None: they can."""
    first, second, mercury = (
        register_lists(dict((name, content) for name, _, content in which)[prefix + REGISTERS])
        for which, prefix in ((parts, ""), (other_parts, ""), (parts, ".nv.merc")))
    sizes, flaws = mercury_sizes(parts), set()
    for (name, _, mine), (_, _, theirs), (_, places, _) in zip(first, second, mercury):
        if mine == theirs:
            continue
        known = sizes.get(name, [0])
        if len(known) > 1:
            flaws.add("registers of functions of one name")
        elif any(place >= known[0] for pair in places for place in pair):
            flaws.add("registers from nvlink's memory")
        else:
            return None
    return ", ".join(sorted(flaws)) or None


DEBUG = {".debug_line", ".nv_debug_line_sass", ".debug_info", ".nv_debug_info_reg_sass",
         ".rela.debug_line", ".rela.nv_debug_line_sass", ".rela.debug_info"}


def has_second_names(parts):
    """Whether two functions are the same code."""
    table = {name: content for name, _, content in parts}[".nv.merc.symtab"]
    places = [(section, value) for _, info, _, section, value, _ in struct.iter_unpack("<IBBHQQ", table)
              if info & 15 == FUNCTION and section]
    return len(set(places)) < len(places)


def flaws_between(mine, theirs):
    """The flaws; None: there is a difference that none of them explains."""
    if [s[0] for s in mine] != [s[0] for s in theirs]:
        return None
    kernels, flaws = jump_tables_with_two_targets(mine), set()
    for (name, _, content), (_, _, other) in zip(mine, theirs):
        kernel = re.sub(r"^\.nv\.constant2\.|^" + re.escape(TABLES), "", name)
        if content == other:
            continue
        if kernel != name and kernel in kernels:
            flaws.add("two targets in a jump table")
        elif name == REGISTERS and registers_flaw(mine, theirs):
            flaws.add(registers_flaw(mine, theirs))
        elif name in DEBUG and has_second_names(mine):
            flaws.add("places of functions with second names")
        else:
            return None
    return flaws


def explain(first, second):
    """The flaws of nvlink that are all the difference; None: there is another one."""
    try:
        flaws = flaws_between(sections(first), sections(second))
    except (struct.error, IndexError, KeyError, ValueError, TypeError):
        return None
    return ", ".join(sorted(flaws)) if flaws else None
