"""Host objects and archives around device code, as nvcc and ar make them."""
import struct

FATBIN_MAGIC, WRAPPER_MAGIC = 0xBA55ED50, 0x466243B1
KIND_PTX, KIND_CUBIN = 1, 2
FLAGS_ZSTD = 0x8011  # 64 bits, Linux, one zstd frame
EM_X86_64, ET_REL = 62, 1
SHT_PROGBITS, SHT_STRTAB, SHF_ALLOC = 1, 3, 2


def padded(data, alignment=8):
    return data + bytes(-len(data) % alignment)


def fatbin(kind, sm, packed, size):
    """A container with one entry: `packed` unpacks to `size` bytes."""
    header, options = 64, b""
    if kind == KIND_PTX:
        text = b"--compile-only  "
        options = padded(struct.pack("<II", header + 8, len(text)) + text + b"\0")
    data = padded(packed)
    entry = struct.pack("<HHIQIIHHIIIQQQ", kind, 0x0101, header + len(options),
                        len(data), len(packed), header if options else 0,
                        8, 1, sm, 0, 0, FLAGS_ZSTD, 0, size)
    entries = entry + options + data
    return struct.pack("<IHHQ", FATBIN_MAGIC, 1, 16, len(entries)) + entries


def elf(sections):
    """A relocatable x86-64 file with these sections."""
    names, body, headers = bytearray(b"\0"), bytearray(64), [bytes(64)]
    listed = list(sections.items()) + [(".shstrtab", None)]
    for name, contents in listed:
        offset_of_name = len(names)
        names += name.encode() + b"\0"
        kind, flags = SHT_PROGBITS, SHF_ALLOC
        if contents is None:
            kind, flags, contents = SHT_STRTAB, 0, bytes(names)
        body = bytearray(padded(bytes(body)))
        headers.append(struct.pack("<IIQQQQIIQQ", offset_of_name, kind, flags, 0,
                                   len(body), len(contents), 0, 0, 8, 0))
        body += contents
    body = padded(bytes(body))
    header = struct.pack("<16sHHIQQQIHHHHHH", b"\x7fELF\x02\x01\x01", ET_REL,
                         EM_X86_64, 1, 0, 0, len(body), 0, 64, 0, 0, 64,
                         len(headers), len(headers) - 1)
    return header + body[64:] + b"".join(headers)


def host_object(container, module_id, kernels=()):
    """An object as nvcc -dc makes it; `kernels`: those its host code uses."""
    references = b"".join(name.encode() + b"\0" for name in kernels) or b"\0"
    return elf({
        "__nv_module_id": module_id.encode() + b"\0",
        "__nv_relfatbin": container,
        ".nvFatBinSegment": struct.pack("<IIQQ", WRAPPER_MAGIC, 1, 0, 0),
        ".nvHRKI": b"\0",
        ".nvHRKE": references,
    })


def archive(members):
    """(name, contents) of each member; names of at most 15 characters."""
    parts = [b"!<arch>\n"]
    for name, contents in members:
        parts.append(f"{name + '/':<16}{0:<12}{0:<6}{0:<6}{'644':<8}"
                     f"{len(contents):<10}`\n".encode())
        parts.append(padded(contents, 2))
    return b"".join(parts)
