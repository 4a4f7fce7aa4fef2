"""Read, change and write small 64-bit little-endian ELF files (cubins).

The tests need only this much of ELF: sections with their bytes, symbols,
relocations, and the record lists of .nv.info and .nv.compat. Everything is
kept as plain Python data, so that an edit is an assignment. This is test code
for files we made ourselves; it does not defend itself against bad input.
"""
import struct

SHT_SYMTAB, SHT_RELA, SHT_NOBITS, SHT_REL = 2, 4, 8, 9
SHT_CUDA_INFO = 0x70000000
SHT_CUDA_CALLGRAPH = 0x70000001
SHT_CUDA_PROTOTYPE = 0x70000002
SHT_CUDA_COMPAT = 0x70000086
SHT_MERCURY_RELA = 0x70000082
SHT_MERCURY_INFO = 0x70000083
SHT_MERCURY_SYMTAB = 0x70000085
SHF_MERCURY = 0x10000000

# Cubins use their own types for sections without file contents.
NOBITS_TYPES = (SHT_NOBITS, 0x70000007, 0x70000009, 0x7000000A, 0x70000015)

EHDR = struct.Struct("<16sHHIQQQIHHHHHH")
SHDR = struct.Struct("<IIQQQQIIQQ")
PHDR = struct.Struct("<IIQQQQQQ")
SYM = struct.Struct("<IBBHQQ")

EHDR_FIELDS = ("ident type machine version entry phoff shoff flags ehsize "
               "phentsize phnum shentsize shnum shstrndx").split()
SHDR_FIELDS = ("name_offset type flags addr offset size link info align "
               "entsize").split()
PHDR_FIELDS = "type flags offset vaddr paddr filesz memsz align".split()

INFO_FORMATS = {1: "NVAL", 2: "BVAL", 3: "HVAL", 4: "SVAL"}


class Section:
    """One section header with its bytes (empty for NOBITS)."""

    def __init__(self, index, **fields):
        self.index = index
        self.name = ""
        self.data = bytearray()
        for field in SHDR_FIELDS:
            setattr(self, field, fields.get(field, 0))

    def has_bytes(self):
        return self.type not in NOBITS_TYPES and self.type != 0


class Symbol:
    def __init__(self, index, name, info, other, shndx, value, size):
        self.index, self.name, self.info = index, name, info
        self.other, self.shndx, self.value, self.size = (other, shndx, value,
                                                         size)
        self.name_offset = None

    binding = property(lambda s: s.info >> 4)
    type = property(lambda s: s.info & 15)


class Relocation:
    def __init__(self, offset, type, symbol, addend):
        self.offset, self.type = offset, type
        self.symbol, self.addend = symbol, addend   # addend None: REL


class Record:
    """One .nv.info or .nv.compat record."""

    def __init__(self, format, attribute, value, payload=b""):
        self.format, self.attribute = format, attribute
        self.value, self.payload = value, payload

    def pack(self):
        value = len(self.payload) if self.format == 4 else self.value
        return struct.pack("<BBH", self.format, self.attribute,
                           value) + self.payload


def string_at(table, offset):
    if offset >= len(table):
        return "?"
    end = table.find(b"\0", offset)
    return bytes(table[offset:end]).decode("latin-1")


def mercury_names(name):
    """What a section may be called in the mercury view."""
    for bank, role in ((".nv.constant3", ".nv.constant.user"),
                       (".nv.constant2", ".nv.constant.optimizer")):
        name = name.replace(bank, role)
    return [name]


class Elf:
    """A whole file; parse with Elf(data), write back with pack()."""

    def __init__(self, data):
        self.file_size = len(data)
        self.header = dict(zip(EHDR_FIELDS, EHDR.unpack_from(data)))
        self.sections = self._read_sections(data)
        self.segments = [
            dict(zip(PHDR_FIELDS,
                     PHDR.unpack_from(data, self.header["phoff"] + 56 * i)))
            for i in range(self.header["phnum"])]
        self.symbols = self._read_symbols(self.symtab())
        self.mercury_symbols = self._read_symbols(self.mercury_symtab())

    def _read_sections(self, data):
        sections = []
        shoff, count = self.header["shoff"], self.header["shnum"]
        if count == 0 and shoff:        # too many for the header's field
            count = SHDR.unpack_from(data, shoff)[5]
        for i in range(count):
            fields = dict(zip(SHDR_FIELDS, SHDR.unpack_from(data,
                                                            shoff + 64 * i)))
            section = Section(i, **fields)
            if section.has_bytes():
                section.data = bytearray(
                    data[section.offset:section.offset + section.size])
            sections.append(section)
        if sections:
            names = sections[self.header["shstrndx"]].data
            for section in sections:
                section.name = string_at(names, section.name_offset)
        return sections

    def _read_symbols(self, table):
        if table is None:
            return []
        names = self.sections[table.link].data
        symbols = []
        for i in range(len(table.data) // SYM.size):
            name, info, other, shndx, value, size = SYM.unpack_from(
                table.data, SYM.size * i)
            symbol = Symbol(i, string_at(names, name), info, other, shndx,
                            value, size)
            symbol.name_offset = name
            symbols.append(symbol)
        return symbols

    def symtab(self):
        for section in self.sections:
            if section.type == SHT_SYMTAB:
                return section
        return None

    def mercury_symtab(self):
        """The table of the mercury view; None before sm_100."""
        for section in self.sections:
            if section.type == SHT_MERCURY_SYMTAB:
                return section
        return None

    def twin(self, section):
        """The mercury twin of a section, None: it has none."""
        names = {prefix + name for prefix in (".nv.merc", ".nv.capmerc")
                 for name in mercury_names(section.name)}
        for other in self.sections:
            if other.flags & SHF_MERCURY and other.name in names:
                return other
        return None

    def section(self, name):
        for section in self.sections:
            if section.name == name:
                return section
        raise KeyError("no section " + name)

    def symbol(self, name):
        """A symbol by name; "section NAME" is the symbol of a section."""
        if isinstance(name, int):
            return self.symbols[name]
        if name.startswith("section "):
            wanted = self.section(name[len("section "):]).index
            for symbol in self.symbols:
                if symbol.type == 3 and symbol.shndx == wanted:
                    return symbol
        for symbol in self.symbols:
            if symbol.name == name and symbol.type != 3:
                return symbol
        raise KeyError("no symbol " + name)

    def relocations(self, section):
        entries = []
        step = 24 if section.type == SHT_RELA else 16
        for at in range(0, len(section.data) - step + 1, step):
            offset, info = struct.unpack_from("<QQ", section.data, at)
            addend = None
            if step == 24:
                addend, = struct.unpack_from("<q", section.data, at + 16)
            entries.append(Relocation(offset, info & 0xFFFFFFFF, info >> 32,
                                      addend))
        return entries

    def set_relocations(self, section, entries):
        section.data = bytearray()
        for entry in entries:
            section.data += struct.pack("<QQ", entry.offset,
                                        entry.symbol << 32 | entry.type)
            if section.type == SHT_RELA:
                section.data += struct.pack("<q", entry.addend or 0)

    def records(self, section):
        records, at, data = [], 0, section.data
        while at + 4 <= len(data):
            format, attribute, value = struct.unpack_from("<BBH", data, at)
            payload = b""
            if format == 4:
                payload = bytes(data[at + 4:at + 4 + value])
            records.append(Record(format, attribute, value, payload))
            at += 4 + len(payload)
        return records

    def add_string(self, text):
        """Append to .strtab and return the offset."""
        table = self.sections[self.symtab().link].data
        offset = len(table)
        table += text.encode("latin-1") + b"\0"
        return offset

    def add_symbol(self, name, **fields):
        symbol = Symbol(len(self.symbols), name, fields.get("info", 0x10),
                        fields.get("other", 0), fields.get("shndx", 0),
                        fields.get("value", 0), fields.get("size", 0))
        symbol.name_offset = self.add_string(name)
        self.symbols.append(symbol)
        return symbol

    def add_section(self, name, **fields):
        section = Section(len(self.sections), **fields)
        names = self.sections[self.header["shstrndx"]].data
        section.name, section.name_offset = name, len(names)
        names += name.encode("latin-1") + b"\0"
        self.sections.append(section)
        return section

    def pack(self):
        """Lay the sections out one after the other; drop segments."""
        self._store_symbols()
        image = bytearray(EHDR.size)
        for section in self.sections[1:]:
            step = max(section.align, 1)
            image += bytes(-len(image) % step)
            section.offset = len(image)
            if section.has_bytes():
                section.size = len(section.data)
                image += section.data
        image += bytes(-len(image) % 8)
        self.header.update(shoff=len(image), shnum=len(self.sections),
                           phoff=0, phnum=0)
        for section in self.sections:
            image += SHDR.pack(*(getattr(section, f) for f in SHDR_FIELDS))
        image[:EHDR.size] = EHDR.pack(*(self.header[f] for f in EHDR_FIELDS))
        return bytes(image)

    def _store_symbols(self):
        for table, symbols in ((self.symtab(), self.symbols),
                               (self.mercury_symtab(), self.mercury_symbols)):
            if table is not None:
                table.data = bytearray().join(
                    SYM.pack(s.name_offset, s.info, s.other, s.shndx, s.value,
                             s.size) for s in symbols)
