"""Reads the line numbers of a debug section (DWARF 2): units, sequences, rows."""
import struct
from dataclasses import dataclass, field
from typing import Dict, List, Tuple

COPY, ADVANCE_PC, ADVANCE_LINE, SET_FILE, SET_COLUMN = 1, 2, 3, 4, 5
NEGATE_STATEMENT, BASIC_BLOCK, CONST_ADD_PC, FIXED_ADVANCE_PC = 6, 7, 8, 9
END_SEQUENCE, SET_ADDRESS = 1, 2


@dataclass
class Row:
    address: int
    says: Tuple              # all but the address


@dataclass
class Sequence:
    """What is said about one function."""
    begin: int
    address_at: int = -1     # where its address stands in the section
    rows: List[Row] = field(default_factory=list)   # the last one is its end
    code: bytes = b""


def leb128(data, at, signed=False):
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        shift += 7
        if not byte & 0x80:
            return (value - (1 << shift) if signed and byte & 0x40 else value), at


@dataclass
class Machine:
    """Reads one sequence of a unit."""
    data: bytes
    form: Tuple              # first line step, number of line steps, first code that steps in both
    at: int
    address: int = 0
    line: int = 1
    others: Dict = field(default_factory=lambda: {SET_FILE: 1, SET_COLUMN: 0, NEGATE_STATEMENT: 0, BASIC_BLOCK: 0})
    extras: List = field(default_factory=list)

    def put_row(self, is_end=False):
        says = self.line, tuple(self.others.values()), tuple(self.extras), is_end
        self.sequence.rows.append(Row(self.address, says))
        self.extras = []

    def operand(self, signed=False):
        value, self.at = leb128(self.data, self.at, signed)
        return value

    def step_both(self, code):
        first, range_of_lines, first_code = self.form
        steps, lines = divmod(code - first_code, range_of_lines)
        self.address += steps
        self.line += first + lines

    def extended(self):
        size = self.operand()
        kind, begin = self.data[self.at], self.at
        self.at += size
        if kind == SET_ADDRESS:
            self.sequence.address_at = begin + 1
        elif kind != END_SEQUENCE:
            self.extras.append(bytes(self.data[begin:self.at]))
        return kind == END_SEQUENCE

    def standard(self, code):
        if code == COPY:
            self.put_row()
        elif code == ADVANCE_PC:
            self.address += self.operand()
        elif code == ADVANCE_LINE:
            self.line += self.operand(signed=True)
        elif code in (SET_FILE, SET_COLUMN):
            self.others[code] = self.operand()
        elif code in (NEGATE_STATEMENT, BASIC_BLOCK):
            self.others[code] ^= 1
        elif code == CONST_ADD_PC:
            self.address += (255 - self.form[2]) // self.form[1]
        elif code == FIXED_ADVANCE_PC:
            self.address += struct.unpack_from("<H", self.data, self.at)[0]
            self.at += 2
        else:
            raise ValueError("an unknown step")

    def run(self):
        self.sequence, is_end = Sequence(self.at), False
        while not is_end:
            code = self.data[self.at]
            self.at += 1
            if code >= self.form[2]:
                self.step_both(code)
                self.put_row()
            elif code:
                self.standard(code)
            else:
                is_end = self.extended()
        self.put_row(is_end=True)
        self.sequence.code = bytes(self.data[self.sequence.begin:self.at])
        return self.sequence


def line_program(data):
    """[(the unit's header without the length, its sequences)]"""
    at, units = 0, []
    while at < len(data):
        size, _, head, least, _, *form = struct.unpack_from("<IHIBBbBB", data, at)
        if least != 1:
            raise ValueError("steps of another length")
        end, code, sequences = at + 4 + size, at + 10 + head, []
        while code < end:
            sequences.append(Machine(data, form, code).run())
            code += len(sequences[-1].code)
        if code != end:
            raise ValueError("a unit ends elsewhere")
        units.append((bytes(data[at + 4:at + 10 + head]), sequences))
        at = end
    return units
