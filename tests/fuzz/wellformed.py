"""Is an output a whole ELF file? For outputs of damaged inputs, where no
linker says what is right: all that can be asked is that the frame holds."""
import struct

SHT_SYMTAB, SHT_STRTAB, SHT_RELA, SHT_NOBITS, SHT_REL = 2, 3, 4, 8, 9
NOBITS_TYPES = (0, SHT_NOBITS, 0x70000007, 0x70000009, 0x7000000A, 0x70000015)
SPECIAL_SECTIONS = (0xFFF1, 0xFFF2, 0xFFFF)


def read_sections(data):
    table, = struct.unpack_from("<Q", data, 40)
    count, names = struct.unpack_from("<HH", data, 60)
    if not count:
        count, = struct.unpack_from("<Q", data, table + 32)
    if table + 64 * count > len(data):
        raise ValueError("section headers outside the file")
    rows = [struct.unpack_from("<IIQQQQIIQQ", data, table + 64 * i)
            for i in range(count)]
    if names >= count:
        raise ValueError("no section names")
    return rows, names


def contents(data, row):
    if row[1] in NOBITS_TYPES:
        return b""
    if row[4] + row[5] > len(data):
        raise ValueError("a section outside the file")
    return data[row[4]:row[4] + row[5]]


def check_symbols(data, rows, table):
    names = contents(data, rows[table[6]])
    symbols = contents(data, table)
    for at in range(0, len(symbols), 24):
        name, _, _, section = struct.unpack_from("<IBBH", symbols, at)
        if name >= len(names):
            raise ValueError("a symbol name outside its table")
        if section >= len(rows) and section not in SPECIAL_SECTIONS:
            raise ValueError("a symbol in a section that is not there")
    return len(symbols) // 24


def check_relocations(data, rows, symbols):
    for row in rows:
        if row[1] not in (SHT_REL, SHT_RELA):
            continue
        if row[7] >= len(rows):
            raise ValueError("relocations of a section that is not there")
        table, step = contents(data, row), 24 if row[1] == SHT_RELA else 16
        for at in range(0, len(table), step):
            if struct.unpack_from("<I", table, at + 12)[0] >= symbols:
                raise ValueError("a relocation against no symbol")


def check(data):
    if data[:4] != b"\x7fELF":
        raise ValueError("no ELF file")
    rows, names = read_sections(data)
    strings = contents(data, rows[names])
    for row in rows:
        contents(data, row)
        if row[0] >= len(strings):
            raise ValueError("a section name outside its table")
        if row[6] >= len(rows):
            raise ValueError("sh_link names no section")
    symbols = 0
    for row in rows:
        if row[1] == SHT_SYMTAB:
            symbols = check_symbols(data, rows, row)
    check_relocations(data, rows, symbols)


def problem_of(data):
    """What is wrong with the file, or None."""
    try:
        check(data)
    except (ValueError, struct.error, IndexError) as error:
        return str(error)
    return None
