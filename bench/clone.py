"""Thousands of relocatable objects from a few stored ones.

The stored templates (bench/templates, compressed) are what ptxas makes of
sources.py. A clone is a template with other digits in its symbol and section
names; since they are as long as the ones they replace, only the bytes of the
string tables change.
"""
import gzip
import pathlib
import struct
import subprocess
import tempfile

from sources import HEADER, NEXT, SELF, TEMPLATES

FOLDER = pathlib.Path(__file__).resolve().parent / "templates"
STORED_ARCH = "sm_80"
SHT_STRTAB = 3


def string_tables(image):
    """(offset, size) of every string table of an ELF file."""
    headers, = struct.unpack_from("<Q", image, 0x28)
    entry_size, count = struct.unpack_from("<HH", image, 0x3A)
    for index in range(count):
        _, kind, _, _, offset, size = struct.unpack_from(
            "<IIQQQQ", image, headers + index * entry_size)
        if kind == SHT_STRTAB:
            yield offset, size


class Template:
    def __init__(self, image):
        self.image = image
        self.tables = list(string_tables(image))

    def clone(self, self_number, next_number):
        names = ((SELF, self_number), (NEXT, next_number))
        result = bytearray(self.image)
        for offset, size in self.tables:
            table = bytes(result[offset:offset + size])
            for marker, number in names:
                digits = f"{number:0{len(marker)}}"
                table = table.replace(marker.encode(), digits.encode())
            result[offset:offset + size] = table
        return bytes(result)


def compile_template(name, arch):
    text, options = TEMPLATES[name]
    # ptxas records names as they were given: none but relative ones.
    with tempfile.TemporaryDirectory(prefix="culd-growth-") as folder:
        source = pathlib.Path(folder) / "growth.ptx"
        source.write_text(HEADER.format(arch=arch) + text)
        subprocess.run(["ptxas", "-c", f"-arch={arch}", *options, source.name,
                        "-o", "growth.cubin"], cwd=folder, check=True)
        return (source.parent / "growth.cubin").read_bytes()


def store_templates():
    """Compile all templates anew into bench/templates."""
    FOLDER.mkdir(exist_ok=True)
    for name in TEMPLATES:
        image = compile_template(name, STORED_ARCH)
        (FOLDER / f"{name}.cubin.gz").write_bytes(
            gzip.compress(image, mtime=0))


class Templates:
    """Templates by name: stored ones, or compiled for another architecture."""

    def __init__(self, arch):
        self.arch, self.known = arch, {}

    def __getitem__(self, name):
        if name not in self.known:
            self.known[name] = Template(self.load(name))
        return self.known[name]

    def load(self, name):
        if self.arch != STORED_ARCH:
            return compile_template(name, self.arch)
        return gzip.decompress((FOLDER / f"{name}.cubin.gz").read_bytes())
