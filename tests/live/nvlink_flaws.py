"""Sees in two linked cubins whether they differ only where nvlink's is wrong, in ways that docs/differences.md lists.

Each flaw is recognised by what nvlink's own output shows, and excuses single words and records. Everything else,
headers included, must be equal.

    two targets     a word of a jump table has relocations to two places, because those of a replaced definition were
                    kept. There nvlink's table has that of the replaced one, or 0; culd's list has one relocation
    two tables      two jump tables of a function, one of them of a replaced definition, have the same place: words of
                    the one that is used are 0 or those of the other. culd's are one behind the other, and the code
                    names the place of its own
    symbol 0        a YIELD that becomes a NOP gets the value of symbol 0 on top, where that has one
    memory          a place in a list of registers for debuggers lies, in mercury, at or behind the end of the
                    function's code: that word of nvlink's is what was in its memory; culd writes 0, and the end of
                    the code for the end. Inside of the code a register may begin to hold at -1, which is no place
    equal names     a list of registers is of a name that several functions have: its places
    second names    another name of a function stands before it. Its lines are at the places that they have in
                    mercury, and nothing is known of its end; its registers and its ends in .debug_info are at 0
"""
import re
import struct

from line_program import line_program
from section_difference import sections

TABLES, BANK = ".nv.merc.rela.nv.constant.optimizer.", ".nv.constant2."
MERCURY_BANK, TEXT, CAPSULE = ".nv.merc.nv.constant.optimizer.", ".text.", ".nv.capmerc.text."
OFFSET_AT, OFFSET_BITS = 40, 14      # of a load from a constant bank: in words, where its place is
REGISTERS = ".nv_debug_info_reg_sass"
MERCURY = ".nv.merc"
RESERVED = MERCURY + ".nv.shared.reserved.0"
FUNCTION, UNDEFINED = 2, 0
INSTRUCTION = 16
NOWHERE = 0xFFFFFFFF
WORD = 0x10008               # a relocation of 32 bits in mercury
MOST_ALIGNMENT = 128         # of a section
SIZE = 3                     # among the fields that sections() gives


class Unexplained(Exception):
    """There is a difference that is no flaw of nvlink's."""


def need(condition):
    if not condition:
        raise Unexplained


class Image:
    def __init__(self, data):
        self.data, self.sections = data, sections(data)
        self.contents = {name: content for name, _, content in self.sections}

    def symbols(self, table):
        """[(name, section, value, size)] of functions, None for others."""
        names, found = self.contents[".strtab"], []
        for name, info, _, section, value, size in struct.iter_unpack("<IBBHQQ", self.contents[table]):
            text = names[name:names.index(b"\0", name)].decode()
            is_function = info & 15 == FUNCTION and section != UNDEFINED
            found.append((text, section, value, size) if is_function else None)
        return found

    def behind_second_names(self):
        """{number of symbol: size} of functions of which another name comes first."""
        seen, found = set(), {}
        for number, symbol in enumerate(self.symbols(".symtab")):
            if symbol:
                _, section, value, size = symbol
                if (section, value) in seen:
                    found[number] = size
                seen.add((section, value))
        return found

    def function_symbols(self, numbers):
        symbols = self.symbols(".symtab")
        return {symbols[number][0] for number in numbers}

    def relocations(self, name):
        """[(place, type, symbol, addend)]"""
        return [(place, info & 0xFFFFFFFF, info >> 32, addend)
                for place, info, addend in struct.iter_unpack("<QQq", self.contents[name])]


# ---- jump tables ----

def targets_of(table):
    targets = {}
    for place, _, symbol, addend in table:
        targets.setdefault(place, set()).add((symbol, addend))
    return targets


def moved_table(nvlink, culd, name):
    """(function, by how much its second table lies behind the place of the first), or None."""
    table, other = nvlink.relocations(name), culd.relocations(name)
    if [entry[1:] for entry in table] != [entry[1:] for entry in other] or table == other:
        return None
    moved = {(right[0] - entry[0], entry[2]) for entry, right in zip(table, other) if entry != right}
    (distance, function), = moved
    need(0 < distance < len(culd.contents[BANK + name[len(TABLES):]]) and distance % 4 == 0)
    need(all(len(targets) == 1 for targets in targets_of(other).values()))
    need({place for place, *_ in other} == set(range(0, 4 * len(other), 4)))
    first = [place for (place, *_), right in zip(table, other) if place == right[0]]
    need(sorted(first) == list(range(0, distance, 4)))
    need(min(place for (place, *_), right in zip(table, other) if place != right[0]) == 0)
    return function, distance


def moved_tables(nvlink, culd):
    """{name of function: distance}"""
    found = (moved_table(nvlink, culd, name) for name in nvlink.contents if name.startswith(TABLES))
    symbols = nvlink.symbols(".symtab")
    return {symbols[function][0]: distance for function, distance in filter(None, found)}


def check_jump_table(nvlink, culd, name):
    """culd has the same relocations, but for each place one target."""
    if moved_table(nvlink, culd, name):
        return "two jump tables at one place"
    table, other = nvlink.relocations(name), culd.relocations(name)
    targets, rest = targets_of(table), iter(table)
    need(all(entry in rest for entry in other))
    need(targets_of(other).keys() == targets.keys())
    need(all(len(places) == 1 for places in targets_of(other).values()))
    need(all(len(targets[entry[0]]) > 1 for entry in set(table) - set(other)))
    return "two targets in a jump table"


def check_order(table, content):
    """Targets are in SASS in the order that they have in mercury; 0 is that of a loser, where the winner has none."""
    words = sorted((symbol, addend, struct.unpack_from("<I", content, place)[0]) for place, _, symbol, addend in table)
    words = [word for word in words if word[2]]
    for (symbol, addend, word), (next_symbol, next_addend, next_word) in zip(words, words[1:]):
        if symbol == next_symbol:
            need((word < next_word) == (addend < next_addend))
    return {(symbol, addend): word for symbol, addend, word in words}


def word_at(content, place):
    return struct.unpack_from("<I", content, place)[0]


def check_moved_bank(table, others, content, other):
    """Each word of nvlink's is one of those that belong there, or 0."""
    possible = {}
    for (place, *_), (right, *_) in zip(table, others):
        possible.setdefault(place, {0}).add(word_at(other, right))
    need(len(content) == 4 * len(possible) and len(other) == 4 * len(others))
    need(all(word_at(content, place) in words for place, words in possible.items()))
    return "two jump tables at one place"


def check_mercury_bank(nvlink, culd, name):
    """Nothing but zeros, as many as SASS has words."""
    bank = BANK + name[len(MERCURY_BANK):]
    need(moved_table(nvlink, culd, TABLES + name[len(MERCURY_BANK):]))
    for image in (nvlink, culd):
        need(not any(image.contents[name]) and len(image.contents[name]) == len(image.contents[bank]))
    return "two jump tables at one place"


def check_yields(nvlink, content, other):
    """NOPs to whose opcode nvlink has added the value of symbol 0."""
    _, added, _ = struct.unpack_from("<QQQ", nvlink.contents[".symtab"])
    need(added)
    for (low, high), (right, its_high) in zip(struct.iter_unpack("<QQ", content), struct.iter_unpack("<QQ", other)):
        if low != right:
            need(right & 511 == 0x118 and low & 511 == (0x118 + added) % 512 and low >> 9 == right >> 9)
        need(high == its_high)
    return "symbol 0 added to yields"


def check_text(nvlink, culd, name):
    """Loads of the place to branch to, from the other table."""
    distance = moved_tables(nvlink, culd).get(name[len(TEXT):])
    content, other = nvlink.contents[name], culd.contents[name]
    need(len(content) == len(other))
    if distance is None:
        return check_yields(nvlink, content, other)
    for word, right in zip(struct.iter_unpack("<Q", content), struct.iter_unpack("<Q", other)):
        need((right[0] - word[0]) in (0, distance // 4 << OFFSET_AT))
        need((word[0] ^ right[0]) >> OFFSET_AT + OFFSET_BITS == 0)
    return "two jump tables at one place"


def check_capsule(nvlink, culd, name):
    distance = moved_tables(nvlink, culd)[name[len(CAPSULE):]]
    content, other = bytearray(nvlink.contents[name]), culd.contents[name]
    need(len(content) == len(other))
    for at in range(len(content) - 1):
        if content[at] != other[at]:
            word, right = (struct.unpack_from("<H", data, at)[0] for data in (content, other))
            need(right == word + distance)
            content[at:at + 2] = other[at:at + 2]
    need(content == other)
    return "two jump tables at one place"


def check_bank(nvlink, culd, name):
    """Words with two targets: nvlink has that of the replaced definition, where the winner has such a target, or 0."""
    table = TABLES + name[len(BANK):]
    content, other = nvlink.contents[name], culd.contents[name]
    if moved_table(nvlink, culd, table):
        return check_moved_bank(nvlink.relocations(table), culd.relocations(table), content, other)
    need(len(content) == len(other) and len(content) % 4 == 0)
    known, possible, targets = check_order(culd.relocations(table), other), {}, targets_of(nvlink.relocations(table))
    for place, _, symbol, addend in nvlink.relocations(table):
        possible.setdefault(place, {0}).add(known.get((symbol, addend), 0))
    for at, (word, right) in enumerate(zip(struct.iter_unpack("<I", content), struct.iter_unpack("<I", other))):
        if word != right:
            need(len(targets.get(4 * at, ())) > 1 and word[0] in possible[4 * at] and right[0] % INSTRUCTION == 0)
    return "two targets in a jump table"


def is_residue(content):
    """Nothing but zeros, or the first section headers of the file that nvlink makes on its way."""
    second = struct.pack("<IIQQQ", 1, 3, 0, 0, 64)
    at = content.find(second)
    if at < 0:
        at = next((start for start in range(0, len(content), 8) if second.startswith(content[start:])), len(content))
    rest = content[at + len(second):]
    return not any(content[:at]) and content[at:].startswith(second[:len(content) - at]) and not any(rest[8:16])


def check_reserved(nvlink, culd, name):
    """What is there depends on the sizes of all sections before it, also of jump tables."""
    need(any(nvlink.contents[table] != culd.contents[table] for table in nvlink.contents if table.startswith(TABLES)))
    need(is_residue(nvlink.contents[name]) and is_residue(culd.contents[name]))
    return "two targets in a jump table"


# ---- lists of registers ----

def register_lists(content):
    """[(function, [(number, name, register)], [(from, to)])]"""
    at, lists = 0, []
    while at < len(content):
        end = content.index(b"\0", at)
        name, records, places = content[at:end].decode(), [], []
        count, = struct.unpack_from("<I", content, end + 1)
        at = end + 5
        for _ in range(count):
            end = content.index(b"\0", at + 4) + 5
            records.append(content[at:end])
            places.append(struct.unpack_from("<II", content, end))
            at = end + 8
        lists.append((name, records, places))
    return lists


def mercury_sizes(image):
    """{function: [sizes of its mercury code]}"""
    sizes = {}
    for symbol in filter(None, image.symbols(MERCURY + ".symtab")):
        sizes.setdefault(symbol[0], []).append(symbol[3])
    return sizes


def mercury_places(records, mercury):
    """The places of the same records in mercury, where they are sorted otherwise."""
    _, others, places = mercury
    by_record = {}
    for record, pair in zip(others, places):
        by_record.setdefault(record, []).append(pair)
    need(sorted(records) == sorted(others))
    return [by_record[record].pop(0) for record in records]


def check_registers(nvlink, culd, name):
    lists, others, mercury = (register_lists(content) for content in (
        nvlink.contents[name], culd.contents[name], nvlink.contents[MERCURY + name]))
    need(len(lists) == len(others) == len(mercury))
    sizes, flaws = mercury_sizes(nvlink), set()
    second = nvlink.function_symbols(nvlink.behind_second_names())
    for (function, records, places), (its, its_records, its_places), described in zip(lists, others, mercury):
        need(function == its == described[0] and records == its_records)
        for pair, right, where in zip(places, its_places, mercury_places(records, described)):
            for word, its_word, place in zip(pair, right, where):
                if word != its_word:
                    flaws.add(word_flaw(function, word, its_word, place, sizes[function], second))
    return ", ".join(sorted(flaws))


def word_flaw(function, word, right, place, sizes, second):
    if len(sizes) > 1:
        return "registers of functions of one name"
    if function in second and word == 0:
        return "places of functions with second names"
    has_no_place = word == NOWHERE and right % INSTRUCTION == 0 and place < sizes[0]
    need(right == 0 and place >= sizes[0] or place == sizes[0] or has_no_place)
    return "registers from nvlink's memory"


# ---- lines, and ends of functions ----

def sequences_of(content):
    return [(head, sequence) for head, own in line_program(content) for sequence in own]


def check_sequence(sequence, right, mercury, size):
    """The same rows; nvlink's at the places of mercury, the end where the last one is."""
    need([row.says for row in sequence.rows] == [row.says for row in right.rows])
    places = [row.address for row in mercury.rows[:-1]]
    need([row.address for row in sequence.rows] == places + places[-1:])
    places = [row.address for row in right.rows]
    need(places[0] == sequence.rows[0].address and places[-1] == size)
    need(places == sorted(places) and all(place % INSTRUCTION == 0 for place in places))


def functions_of_lines(image, table):
    """{where an address stands: its function}"""
    return {place: symbol for place, _, symbol, _ in image.relocations(table)}


def mercury_lines(image, name):
    """{function: its sequences in mercury}; those of functions that are gone have no address there."""
    functions, found = functions_of_lines(image, MERCURY + ".rela" + name), {}
    for _, sequence in sequences_of(image.contents[MERCURY + name]):
        if sequence.address_at in functions:
            found.setdefault(functions[sequence.address_at], []).append(sequence)
    return found


def check_lines(nvlink, culd, name):
    mine, theirs = (sequences_of(image.contents[name]) for image in (nvlink, culd))
    need(len(mine) == len(theirs))
    functions, mercury = functions_of_lines(nvlink, ".rela" + name), mercury_lines(nvlink, name)
    second = nvlink.behind_second_names()
    for (head, sequence), (its, right) in zip(mine, theirs):
        need(head == its)
        function = functions[sequence.address_at]
        described = mercury[function].pop(0)
        if sequence.code != right.code:
            check_sequence(sequence, right, described, second.get(function, 0))
    return "places of functions with second names"


def check_line_relocations(nvlink, culd, name):
    """Other places: those of the addresses of the same functions."""
    section = name[len(".rela"):]
    numbers, its_numbers = ({sequence.address_at: number for number, (_, sequence) in enumerate(sequences_of(
        image.contents[section]))} for image in (nvlink, culd))
    need([(numbers[place], *rest) for place, *rest in nvlink.relocations(name)] ==
         [(its_numbers[place], *rest) for place, *rest in culd.relocations(name)])
    return check_lines(nvlink, culd, section)


def units_of(content):
    """{where a unit of a line table begins: its number}"""
    units, at = {}, 0
    while at < len(content):
        units[at] = len(units)
        at += 4 + struct.unpack_from("<I", content, at)[0]
    return units


def check_info(nvlink, culd, name):
    """References to units of the line table, which are at other places."""
    content, other = bytearray(nvlink.contents[name]), culd.contents[name]
    units, its_units = (units_of(image.contents[".debug_line"]) for image in (nvlink, culd))
    for place, kind, _, _ in nvlink.relocations(MERCURY + ".rela" + name):
        word, right = content[place:place + 4], other[place:place + 4]
        if kind == WORD and word != right:
            need(units[int.from_bytes(word, "little")] == its_units[int.from_bytes(right, "little")])
            content[place:place + 4] = right
    need(content == other)
    return check_lines(nvlink, culd, ".debug_line")


def check_info_relocations(nvlink, culd, name):
    """nvlink has 0 where the end of such a function is meant."""
    entries, others, second = nvlink.relocations(name), culd.relocations(name), nvlink.behind_second_names()
    need(len(entries) == len(others))
    for entry, other in zip(entries, others):
        need(entry[:3] == other[:3])
        if entry != other:
            need(entry[3] == 0 and 0 < other[3] <= second.get(entry[2], 0) and other[3] % INSTRUCTION == 0)
    return "places of functions with second names"


CHECKS = [
    (re.escape(TABLES) + ".+", check_jump_table),
    (re.escape(BANK) + ".+", check_bank),
    (re.escape(MERCURY_BANK) + ".+", check_mercury_bank),
    (re.escape(TEXT) + ".+", check_text),
    (re.escape(CAPSULE) + ".+", check_capsule),
    (re.escape(RESERVED), check_reserved),
    (re.escape(REGISTERS), check_registers),
    (r"\.debug_line|\.nv_debug_line_sass", check_lines),
    (r"\.rela(\.debug_line|\.nv_debug_line_sass)", check_line_relocations),
    (r"\.debug_info", check_info),
    (r"\.rela\.debug_info", check_info_relocations),
]
RESIZED = (check_jump_table, check_lines, check_bank, check_mercury_bank)


# ---- all of it ----

def check_of(name):
    return next((check for pattern, check in CHECKS if re.fullmatch(pattern, name)), None)


def check_header(name, header, other):
    """Sizes may differ where contents may."""
    if check_of(name) in RESIZED:
        header, other = (fields[:SIZE] + fields[SIZE + 1:] for fields in (header, other))
    need(header == other)


def file_header(data):
    """Without the places of the two tables."""
    fields = list(struct.unpack_from("<16sHHIQQQIHHHHHH", data))
    return fields[:5] + fields[7:]


def segments(data):
    """Without their places in the file."""
    at, = struct.unpack_from("<Q", data, 32)
    size, count = struct.unpack_from("<HH", data, 54)
    for entry in range(at, at + size * count, size):
        kind, flags, _, *rest = struct.unpack_from("<IIQQQQQQ", data, entry)
        yield kind, flags, rest


def segments_agree(segments, others):
    """The padding inside of a segment depends on its place."""
    def without_sizes(segment):
        kind, flags, (address, load_address, _, _, alignment) = segment
        return kind, flags, address, load_address, alignment

    def sizes(segment):
        return segment[2][2:4]

    return len(segments) == len(others) and all(
        without_sizes(one) == without_sizes(other) and
        all(abs(a - b) < MOST_ALIGNMENT for a, b in zip(sizes(one), sizes(other)))
        for one, other in zip(segments, others))


def flaws_between(nvlink, culd):
    need([name for name, _, _ in nvlink.sections] == [name for name, _, _ in culd.sections])
    need(file_header(nvlink.data) == file_header(culd.data))
    need(segments_agree(list(segments(nvlink.data)), list(segments(culd.data))))
    flaws = set()
    for (name, header, content), (_, other_header, other) in zip(nvlink.sections, culd.sections):
        if content == other:
            need(header == other_header)
            continue
        check = check_of(name)
        need(check)
        check_header(name, header, other_header)
        flaws.add(check(nvlink, culd, name))
    return flaws


def explain(first, second):
    """The flaws of nvlink that are all the difference; None: there is another one."""
    try:
        flaws = flaws_between(Image(first), Image(second))
    except (Unexplained, struct.error, IndexError, KeyError, ValueError, TypeError):
        return None
    return ", ".join(sorted(flaws)) if flaws else None
