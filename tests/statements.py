"""What a case that differs says about culd's output: facts that follow from the rule, not from what culd wrote.

    contents     {section: hex, or the name of the input whose section it is}
    relocations  {section: ["place type symbol[+addend]", ...], or the name of an input}
    sizes        {section: bytes}
    missing      [sections that are not there]

A section may be given as name@target: the fact is one of that target alone. Several sections of one name are taken
together, in their order.
"""
import struct

from elf64 import Elf

KINDS = ("contents", "relocations", "sizes")


def sections_of(elf, name):
    return [section for section in elf.sections if section.name == name]


def contents_of(elf, name):
    found = sections_of(elf, name)
    return b"".join(bytes(section.data) for section in found).hex() if found else None


def relocations_of(elf, name):
    found = sections_of(elf, name)
    return [text for section in found for text in relocation_texts(elf, section)] if found else None


def relocation_texts(elf, section):
    symbols = elf.mercury_symbols if name_is_of_mercury(section.name) else elf.symbols
    form = "<QIIq" if section.entsize == 24 else "<QII"
    for place, kind, symbol, *addend in struct.iter_unpack(form, section.data):
        yield "%#x %d %s" % (place, kind, symbols[symbol].name) + ("+%#x" % addend[0] if any(addend) else "")


def name_is_of_mercury(name):
    return name.startswith(".nv.merc.")


def size_of(elf, name):
    found = sections_of(elf, name)
    return sum(section.size for section in found) if found else None


READERS = {"contents": contents_of, "relocations": relocations_of, "sizes": size_of}


def facts(stated, kind, target):
    """(section, value) of those that hold for the target."""
    for key, value in stated.get(kind, {}).items():
        name, _, only = key.partition("@")
        if not only or only == target:
            yield name, value


def check_statements(stated, target, inputs, output):
    """Lines that say what of it does not hold."""
    if output is None:
        return ["no output file"]
    elf, lines = Elf(output), []
    if not any(list(facts(stated, kind, target)) for kind in KINDS):
        lines.append("the case does not say what is right")
    for kind in KINDS:
        read = READERS[kind]
        for name, value in facts(stated, kind, target):
            is_input = isinstance(value, str) and value in inputs
            wanted = read(Elf(inputs[value]), name) if is_input else value
            if read(elf, name) != wanted or wanted is None:
                lines.append("%s of section %s: expected %s got %s" % (kind, name, wanted, read(elf, name)))
    return lines + ["section %s is there" % name for name in stated.get("missing", []) if sections_of(elf, name)]
