#!/usr/bin/env python3
"""Say in words where two cubins differ.

    cubindiff.py EXPECTED ACTUAL [--lines N]

Compares from the coarse to the fine: ELF header, section list, section
headers, symbols, relocations, info records, then plain bytes. Exit status 0
when the files are identical, 1 when they differ.
"""
import argparse
import struct
import sys
from itertools import zip_longest

from elf64 import (Elf, INFO_FORMATS, SHT_CUDA_CALLGRAPH, SHT_CUDA_COMPAT,
                   SHT_CUDA_INFO, SHT_CUDA_PROTOTYPE, SHT_REL, SHT_RELA,
                   PHDR_FIELDS)


def text(value):
    return hex(value) if isinstance(value, int) else repr(value)


def compare_lists(what, expected, actual):
    """One line per position where two lists of readable items differ."""
    for i, (old, new) in enumerate(zip_longest(expected, actual)):
        if old != new:
            yield "%s %d: expected %s" % (what, i, old)
            yield "%s     got      %s" % (" " * len(what + str(i)), new)


def symbol_name(elf, index):
    if index >= len(elf.symbols):
        return "#%d" % index
    return "%d <%s>" % (index, elf.symbols[index].name)


def symbol_lines(elf):
    return ["%s bind %d type %d other %#x section %d value %#x size %#x" %
            (s.name or "(unnamed)", s.binding, s.type, s.other, s.shndx,
             s.value, s.size) for s in elf.symbols]


def relocation_lines(elf, section):
    lines = []
    for entry in elf.relocations(section):
        line = "at %#x type %d symbol %s" % (
            entry.offset, entry.type, symbol_name(elf, entry.symbol))
        if entry.addend is not None:
            line += " addend %#x" % entry.addend
        lines.append(line)
    return lines


def record_lines(elf, section):
    return ["%s attribute %#x value %#x %s" % (
        INFO_FORMATS.get(r.format, r.format), r.attribute, r.value,
        r.payload.hex()) for r in elf.records(section)]


def pair_lines(elf, section):
    return ["(%s, %#x)" % (symbol_name(elf, a), b)
            for a, b in struct.iter_unpack("<II", section.data)]


def byte_lines(elf, section):
    data = section.data
    return ["+%#06x %s" % (at, data[at:at + 16].hex(" ", 4))
            for at in range(0, len(data), 16)]


READERS = {
    SHT_REL: relocation_lines, SHT_RELA: relocation_lines,
    0x70000003: byte_lines,
    SHT_CUDA_INFO: record_lines, SHT_CUDA_COMPAT: record_lines,
    SHT_CUDA_CALLGRAPH: pair_lines, SHT_CUDA_PROTOTYPE: pair_lines,
}


def header_differences(old, new):
    for field in old.header:
        if old.header[field] != new.header[field]:
            yield "ELF header %s: expected %s got %s" % (
                field, text(old.header[field]), text(new.header[field]))


def section_differences(old, new):
    for a, b in zip(old.sections, new.sections):
        for field in ("type", "flags", "link", "info", "align", "entsize",
                      "size", "offset", "addr", "name_offset"):
            x, y = getattr(a, field), getattr(b, field)
            if x != y:
                yield "section %s %s: expected %#x got %#x" % (a.name, field,
                                                               x, y)


def content_differences(old, new):
    others = {}
    for section in new.sections:
        others.setdefault((section.name, section.type), []).append(section)
    for a in old.sections:
        twins = others.get((a.name, a.type))
        if not twins:
            continue
        b = twins.pop(0)
        if a.data == b.data:
            continue
        if a.type == 3:         # string table
            yield from compare_lists(a.name, a.data.split(b"\0"),
                                     b.data.split(b"\0"))
        elif a.type != 2:
            reader = READERS.get(a.type, byte_lines)
            yield from compare_lists(a.name, reader(old, a), reader(new, b))


def segment_lines(elf):
    return [" ".join("%s %#x" % (f, s[f]) for f in PHDR_FIELDS)
            for s in elf.segments]


def differences(expected, actual):
    """Readable lines; empty exactly when the bytes are equal."""
    if expected == actual:
        return []
    try:
        old, new = Elf(expected), Elf(actual)
    except (struct.error, IndexError):
        return ["%d bytes expected, %d found, not both readable as ELF"
                % (len(expected), len(actual))]
    lines = list(compare_lists("section", [s.name for s in old.sections],
                               [s.name for s in new.sections]))
    lines += content_differences(old, new)
    lines += compare_lists("symbol", symbol_lines(old), symbol_lines(new))
    lines += section_differences(old, new)
    lines += compare_lists("segment", segment_lines(old), segment_lines(new))
    lines += header_differences(old, new)
    return lines or ["bytes differ only in padding, first at %#x" % next(
        (i for i, (a, b) in enumerate(zip(expected, actual)) if a != b),
        min(len(expected), len(actual)))]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("expected")
    parser.add_argument("actual")
    parser.add_argument("--lines", type=int, default=40)
    options = parser.parse_args()
    with open(options.expected, "rb") as f, open(options.actual, "rb") as g:
        lines = differences(f.read(), g.read())
    for line in lines[:options.lines]:
        print(line)
    if len(lines) > options.lines:
        print("... and %d lines more" % (len(lines) - options.lines))
    return 1 if lines else 0


if __name__ == "__main__":
    sys.exit(main())
