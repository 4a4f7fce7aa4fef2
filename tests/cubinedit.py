"""Declarative edits of relocatable cubins.

Some inputs no compiler writes: a relocation type that is only reserved, an
info record that is rare, a symbol with an odd binding. A link case describes
such an input as a compiled source plus a list of edits in its case.json:

    "build": {"a.cubin": {"source": "a.ptx", "edit": [
        {"do": "symbol", "name": "f", "info": 34},
        {"do": "add-relocations", "to": ".nv.global.init", "symbol": "c",
         "types": "1-2,5,10-30", "addend": 305419896}]}}

Each edit is one function below, named after its "do". Numbers may be written
as strings such as "0x70000003".

From sm_100 on a file has two views of everything, and the linker reads the
mercury view: an edit of symbols or records is made in both. Relocations of
the two views differ in their types and offsets, so those edits are refused.
"""
import copy
import struct

from elf64 import (Elf, Record, Relocation, SHF_MERCURY, SHT_CUDA_INFO, SHT_REL,
                   SHT_RELA)


def number(value):
    return int(value, 0) if isinstance(value, str) else value


def number_list(text):
    """"1-3,7" -> [1, 2, 3, 7]; a list or a number is taken as it is."""
    if not isinstance(text, str):
        return text if isinstance(text, list) else [text]
    numbers = []
    for part in text.split(","):
        first, _, last = part.partition("-")
        numbers += range(int(first, 0), int(last or first, 0) + 1)
    return numbers


def assign(target, edit, fields):
    for field in fields:
        if field in edit:
            setattr(target, field, number(edit[field]))


def edit_header(elf, edit):
    """header: set ELF header fields, e.g. flags, type, machine."""
    for field, value in edit.items():
        if field in elf.header:
            elf.header[field] = number(value)


def edit_symbol(elf, edit):
    """symbol: set info, other, shndx, value or size; rename with "to"."""
    symbol = elf.symbol(edit["name"])
    assign(symbol, edit, ("info", "other", "shndx", "value", "size"))
    if "in" in edit:
        symbol.shndx = elf.section(edit["in"]).index
    if "to" in edit:
        symbol.name = edit["to"]
        symbol.name_offset = elf.add_string(edit["to"])


def edit_add_symbol(elf, edit):
    """add-symbol: append one (so it is global or weak unless info says)."""
    fields = {f: number(edit[f]) for f in ("info", "other", "shndx", "value",
                                           "size") if f in edit}
    if "in" in edit:
        fields["shndx"] = elf.section(edit["in"]).index
    elf.add_symbol(edit["name"], **fields)


def edit_section(elf, edit):
    """section: set header fields of a section."""
    section = elf.section(edit["name"])
    assign(section, edit, ("type", "flags", "link", "info", "align",
                           "entsize", "size"))


def edit_register_byte(elf, edit):
    """register-byte: the register count in the header of a code section."""
    section = elf.section(edit["section"])
    section.info = section.info & 0xFFFFFF | number(edit["count"]) << 24


def edit_bytes(elf, edit):
    """bytes: overwrite contents at "offset" with "hex"."""
    section, offset = elf.section(edit["section"]), number(edit["offset"])
    new = bytes.fromhex(edit["hex"])
    section.data[offset:offset + len(new)] = new


def edit_fill(elf, edit):
    """fill: repeat "hex" over all contents of a section."""
    data, pattern = elf.section(edit["section"]).data, edit["hex"]
    pattern = bytes.fromhex(pattern)
    data[:] = (pattern * (len(data) // len(pattern) + 1))[:len(data)]


def edit_relocation(elf, edit):
    """relocation: change entry number "at" of a relocation section."""
    section = elf.section(edit["section"])
    entries = elf.relocations(section)
    entry = entries[edit["at"]]
    assign(entry, edit, ("type", "offset", "addend"))
    if "symbol" in edit:
        entry.symbol = elf.symbol(edit["symbol"]).index
    elf.set_relocations(section, entries)


def relocation_section(elf, target, form):
    """The section for entries of this form; made where it is missing."""
    name = (".rela" if form == "rela" else ".rel") + target.name
    for section in elf.sections:
        if section.name == name:
            return section
    return elf.add_section(name, type=SHT_RELA if form == "rela" else SHT_REL,
                           flags=0x40, link=elf.symtab().index,
                           info=target.index, align=8,
                           entsize=24 if form == "rela" else 16)


def edit_add_relocations(elf, edit):
    """add-relocations: one entry per type, "stride" bytes apart."""
    target = elf.section(edit["to"])
    form = edit.get("form", "rela")
    section = relocation_section(elf, target, form)
    entries = elf.relocations(section)
    symbol = edit.get("symbol", 0)      # a number may be out of range
    index = symbol if isinstance(symbol, int) else elf.symbol(symbol).index
    offset = number(edit.get("offset", 0))
    addend = number(edit.get("addend", 0)) if form == "rela" else None
    for kind in number_list(edit["types"]):
        entries.append(Relocation(offset, kind, index, addend))
        offset += number(edit.get("stride", 16))
    elf.set_relocations(section, entries)


def edit_drop_relocations(elf, edit):
    """drop-relocations: empty a relocation section."""
    elf.section(edit["section"]).data = bytearray()


def make_record(elf, edit):
    payload = b"".join(
        struct.pack("<I", elf.symbol(word).index if isinstance(word, str)
                    and not word[:1].isdigit() else number(word))
        for word in edit.get("words", []))
    return Record(number(edit["format"]), number(edit["attribute"]),
                  number(edit.get("value", 0)), payload)


def edit_add_record(elf, edit):
    """add-record: append to (or with "first" prepend) an info section.

    "words" is the payload, 32 bits each; a name stands for a symbol's index.
    """
    section, record = elf.section(edit["section"]), make_record(elf, edit)
    if edit.get("first"):
        section.data[:0] = record.pack()
    else:
        section.data += record.pack()


def edit_set_record(elf, edit):
    """set-record: change every record of one attribute in a section."""
    section = elf.section(edit["section"])
    records = elf.records(section)
    for record in records:
        if record.attribute != number(edit["attribute"]):
            continue
        assign(record, edit, ("value", "format"))
        if "word" in edit:      # change one 32-bit word of the payload
            payload = bytearray(record.payload)
            struct.pack_into("<I", payload, 4 * edit["word"],
                             number(edit["to"]))
            record.payload = bytes(payload)
    section.data = bytearray().join(r.pack() for r in records)


def edit_drop_record(elf, edit):
    """drop-record: remove every record of one attribute."""
    section, gone = elf.section(edit["section"]), number(edit["attribute"])
    section.data = bytearray().join(
        r.pack() for r in elf.records(section) if r.attribute != gone)


def edit_cuinfo(elf, edit):
    """cuinfo: the virtual architecture and toolkit a cubin claims."""
    section = elf.section(".note.nv.cuinfo")
    for field, offset in (("sm", 26), ("toolkit", 28)):
        if field in edit:
            struct.pack_into("<H", section.data, offset, number(edit[field]))


def edit_call(elf, edit):
    """call: add an edge to part -1 of the call graph."""
    section = elf.section(".nv.callgraph")
    row = struct.pack("<II", elf.symbol(edit["from"]).index,
                      elf.symbol(edit["to"]).index)
    section.data[8:8] = row


def edit_drop_mercury(elf, edit):
    """drop-mercury: only the SASS view stays, as before sm_100. The sections
    of mercury stand behind all others."""
    elf.sections = [s for s in elf.sections if not s.flags & SHF_MERCURY]
    elf.mercury_symbols = []
    elf.header["flags"] = elf.header["flags"] & ~0xFF | 4


EDITS = {
    "header": edit_header,
    "symbol": edit_symbol,
    "add-symbol": edit_add_symbol,
    "section": edit_section,
    "register-byte": edit_register_byte,
    "bytes": edit_bytes,
    "fill": edit_fill,
    "relocation": edit_relocation,
    "add-relocations": edit_add_relocations,
    "drop-relocations": edit_drop_relocations,
    "add-record": edit_add_record,
    "set-record": edit_set_record,
    "drop-record": edit_drop_record,
    "cuinfo": edit_cuinfo,
    "call": edit_call,
    "drop-mercury": edit_drop_mercury,
}


def same_symbol(elf, edit):
    """The symbol of an edit in the mercury table, which has it too."""
    symbol = elf.mercury_symbols[elf.symbol(edit.get("to") or
                                            edit["name"]).index]
    assign(symbol, edit, ("info", "other", "shndx", "value", "size"))
    if "in" in edit:
        section = elf.section(edit["in"])
        symbol.shndx = (elf.twin(section) or section).index
    if "to" in edit:
        symbol.name_offset = elf.symbol(edit["to"]).name_offset


def added_symbol(elf, edit):
    """Both tables have the new symbol behind the common ones; behind it the
    SASS table goes on with the symbols of parameter banks."""
    number, added = len(elf.mercury_symbols), elf.symbols.pop()
    elf.symbols.insert(number, added)
    for index, symbol in enumerate(elf.symbols):
        symbol.index = index
    twin = copy.copy(added)
    if "in" in edit:
        section = elf.section(edit["in"])
        twin.shndx = (elf.twin(section) or section).index
    elf.mercury_symbols.append(twin)
    for section in elf.sections:
        if section.type == SHT_CUDA_INFO:
            shift_parameter_banks(elf, section, number)


def shift_parameter_banks(elf, section, number):
    records = elf.records(section)
    for record in records:
        if record.attribute == 0x0A:    # names the symbol of the bank
            symbol, = struct.unpack_from("<I", record.payload)
            record.payload = struct.pack("<I", symbol + (symbol >= number)
                                         ) + record.payload[4:]
    section.data = bytearray().join(r.pack() for r in records)


def same_section(name):
    """The same edit of the section's twin, if it has one."""
    def edit_twin(elf, edit):
        twin = elf.twin(elf.section(edit[name]))
        if twin is not None:
            EDITS[edit["do"]](elf, dict(edit, **{name: twin.name}))
    return edit_twin


def refused(elf, edit):
    raise ValueError("no such edit of a file with mercury: " + edit["do"])


def nothing(elf, edit):
    pass


MERCURY_EDITS = {
    "header": nothing, "cuinfo": nothing, "call": nothing,
    "symbol": same_symbol,
    "add-symbol": added_symbol,
    "section": same_section("name"),
    "bytes": same_section("section"),
    "fill": same_section("section"),
    "add-record": same_section("section"),
    "set-record": same_section("section"),
    "drop-record": same_section("section"),
}


def apply_edit(elf, edit):
    EDITS[edit["do"]](elf, edit)
    if elf.mercury_symtab() is not None:
        MERCURY_EDITS.get(edit["do"], refused)(elf, edit)


def apply_edits(data, edits):
    """The bytes of a cubin after a list of edits.

    "truncate" and "file-bytes" work on the finished file, and so come last.
    """
    raw = [e for e in edits if e["do"] in ("truncate", "file-bytes")]
    if len(raw) < len(edits):
        elf = Elf(data)
        for edit in edits:
            if edit not in raw:
                apply_edit(elf, edit)
        data = elf.pack()
    for edit in raw:
        if edit["do"] == "truncate":
            data = data[:number(edit["size"])]
        else:
            new, at = bytes.fromhex(edit["hex"]), number(edit["offset"])
            data = data[:at] + new + data[at + len(new):]
    return data
