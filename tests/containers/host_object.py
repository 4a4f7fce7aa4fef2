"""Objects of the host compiler with device code inside, reduced to the sections a device linker looks at."""
import struct

ET_REL, ET_EXEC, ET_DYN = 1, 2, 3
X86_64, I386, AARCH64 = 62, 3, 183
SHT_PROGBITS, SHT_STRTAB, SHT_NOBITS = 1, 3, 8
SHF_ALLOC = 2
EHDR = struct.Struct("<16sHHIQQQIHHHHHH")
SHDR = struct.Struct("<IIQQQQIIQQ")
WRAPPER = struct.pack("<IIQQ", 0x466243B1, 1, 0, 0)

FATBIN, WHOLE_PROGRAM = "__nv_relfatbin", ".nv_fatbin"
SEGMENT, MODULE_ID = ".nvFatBinSegment", "__nv_module_id"
REFERENCES = {"KI": ".nvHRKI", "KE": ".nvHRKE", "DI": ".nvHRDI", "DE": ".nvHRDE", "CI": ".nvHRCI", "CE": ".nvHRCE"}


def strings(*texts):
    """A section of host references: names, each ended by a NUL; a lone NUL if there is none."""
    return b"".join(text.encode() + b"\0" for text in texts) or b"\0"


def sections_of(fatbin, module_id=None, **references):
    """The sections of a compiled file: [(name, bytes)]. KE=["kernel"] and the like are its host references; None for
    one of them leaves its section out, and references=None all of them."""
    sections = [(".text", b"\xc3")]
    if fatbin is not None:
        sections += [(FATBIN, fatbin), (SEGMENT, WRAPPER)]
    if module_id is not None:
        sections.append((MODULE_ID, module_id if isinstance(module_id, bytes) else module_id.encode() + b"\0"))
    for key, name in REFERENCES.items():
        texts = references.get(key, ())
        if texts is not None and references.get("references", True):
            sections.append((name, strings(*texts)))
    return sections


def pack(sections, machine=X86_64, type=ET_REL, ident=None, **header):
    """An ELF file with these sections; in a triple, the third item overrides header fields of the section."""
    names, body = b"\0", b""
    headers = [SHDR.pack(*[0] * 10)]
    for name, data, *rest in list(sections) + [(".shstrtab", None)]:
        fields = rest[0] if rest else {}
        at = len(names)
        names += name.encode() + b"\0"
        if data is None:
            data, fields = names, {"type": SHT_STRTAB, "flags": 0}
        body += bytes(-len(body) % 8)
        headers.append(SHDR.pack(at, fields.get("type", SHT_PROGBITS), fields.get("flags", SHF_ALLOC), 0,
                                 fields.get("offset", EHDR.size + len(body)), fields.get("size", len(data)), 0, 0,
                                 fields.get("align", 8), 0))
        body += data
    body += bytes(-len(body) % 8)
    ident = ident or b"\x7fELF\2\1\1" + bytes(9)
    fields = dict(version=1, entry=0, phoff=0, shoff=EHDR.size + len(body), flags=0, ehsize=EHDR.size, phentsize=0,
                  phnum=0, shentsize=SHDR.size, shnum=len(headers), shstrndx=len(headers) - 1)
    fields.update(header)
    return EHDR.pack(ident, type, machine, *fields.values()) + body + b"".join(headers)


def make(fatbin, module_id=None, **references):
    """The usual object around a fatbin."""
    return pack(sections_of(fatbin, module_id, **references))
