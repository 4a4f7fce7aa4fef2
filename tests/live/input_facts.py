"""What inputs of a link hold, for those who must know why a link may differ."""
import struct

from containers.fatbin import packed_images
from elf64 import Elf

MACHINE, WHOLE_PROGRAM, MERCURY = 190, 0xFF00, 2
FUNCTION, IMAGES, OBJECT = 2, (10, 11, 12), 13
SPACE, SHARED, CONSTANT = 0xE0, 0x40, 0x80
CODE, RELOCATIONS = 4, (4, 9)
# Types that compilers have for shared variables in code.
OF_SHARED_MEMORY = (55, 74, 100)


def images(data):
    """The device images in a file; those that are packed among them."""
    yield from (image for *_, image in packed_images(data) if image)
    at = data.find(b"\x7fELF")
    while at >= 0:
        if len(data) >= at + 64 and struct.unpack_from("<H", data, at + 18)[0] == MACHINE:
            yield data[at:]
        at = data.find(b"\x7fELF", at + 4)


class Facts:
    """Of all images of a link that can be read."""

    def __init__(self, files):
        self.elves = []
        for data in files:
            for image in images(data):
                try:
                    self.elves.append(Elf(image))
                except (struct.error, ValueError, IndexError, KeyError):
                    pass

    def symbols(self):
        return ((elf, symbol) for elf in self.elves for symbol in elf.symbols)

    def has_sass_alone(self):
        return any(not elf.header["flags"] & MERCURY for elf in self.elves)

    def has_whole_programs(self):
        return any(elf.header["type"] == WHOLE_PROGRAM for elf in self.elves)

    def has_space(self, *spaces):
        return any(symbol.type == OBJECT and symbol.other & SPACE in spaces for _, symbol in self.symbols())

    def has_images(self):
        return any(symbol.type in IMAGES for _, symbol in self.symbols())

    def has_aliases(self):
        """Are there functions with a second name, or functions inside others?"""
        return any(symbol.type == FUNCTION and 0 < symbol.shndx < len(elf.sections) and
                   elf.sections[symbol.shndx].info & 0xFFFFFF != symbol.index for elf, symbol in self.symbols())

    def open_arrays(self):
        """Names of shared arrays without a size."""
        return {symbol.name for _, symbol in self.symbols() if symbol.type == OBJECT and
                symbol.other & SPACE == SHARED and not symbol.shndx and not symbol.size}

    def defined_open_arrays(self):
        """Those that another input defines with a size."""
        return self.open_arrays() & {symbol.name for _, symbol in self.symbols() if symbol.type == OBJECT and
                                     symbol.other & SPACE == SHARED and symbol.shndx and symbol.size}

    def has_odd_relocations(self):
        """Are there some of shared variables or second functions as compilers do not write them?"""
        for elf in self.elves:
            for table in elf.sections:
                if table.type not in RELOCATIONS or table.info >= len(elf.sections):
                    continue
                is_code = bool(elf.sections[table.info].flags & CODE)
                for entry in elf.relocations(table):
                    symbol = elf.symbols[entry.symbol] if entry.symbol < len(elf.symbols) else None
                    if symbol and symbol.type == OBJECT and symbol.other & SPACE == SHARED and not (
                            is_code and entry.type in OF_SHARED_MEMORY):
                        return True
                    if symbol and symbol.type == FUNCTION and symbol.value:
                        return True
        return False
