"""Says in one line where two linked cubins differ: enough to sort differences into groups."""
import re
import struct


def sections(image):
    """[(name, header fields without name and offset, content)] of an ELF64 file; the checks are those a test needs."""
    offset, = struct.unpack_from("<Q", image, 0x28)
    count, names_at = struct.unpack_from("<HH", image, 0x3C)
    headers = [struct.unpack_from("<IIQQQQIIQQ", image, offset + 64 * i) for i in range(count)]
    names = image[headers[names_at][4]:headers[names_at][4] + headers[names_at][5]]
    found = []
    for header in headers:
        name = names[header[0]:names.index(b"\0", header[0])].decode()
        content = b"" if header[1] == 8 else image[header[4]:header[4] + header[5]]
        found.append((name, header[1:4] + header[5:], content))
    return found


def group(name):
    """Per-function sections are one group: .text.f becomes .text.*"""
    return re.sub(r"^((?:\.rela?|\.nv\.resolvedrela)?\.(?:text|nv\.info|nv\.shared|nv\.constant\d))\.(?!\d).+", r"\1.*", name)


def differing_names(first, second):
    """Names of the sections with other contents or headers; None: the lists of sections are not the same."""
    try:
        mine, theirs = sections(first), sections(second)
    except (struct.error, IndexError, ValueError, TypeError):
        return None
    if [s[0] for s in mine] != [s[0] for s in theirs]:
        return None
    return frozenset(one[0] for one, other in zip(mine, theirs) if one != other)


def differing_sections(first, second):
    if first is None or second is None:
        return "only one wrote an output file"
    try:
        mine, theirs = sections(first), sections(second)
    except (struct.error, IndexError, ValueError):
        return "not comparable by section"
    if [s[0] for s in mine] != [s[0] for s in theirs]:
        lost = sorted({group(s[0]) for s in mine} ^ {group(s[0]) for s in theirs})
        return "list of sections" + (": " + " ".join(lost) if lost else " (same groups)")
    words = []
    for (name, header, content), (_, other_header, other_content) in zip(mine, theirs):
        if content != other_content:
            words.append(group(name))
        elif header != other_header:
            words.append(group(name) + " (header)")
    return "sections " + " ".join(dict.fromkeys(words)) if words else "file header, layout or program headers"
