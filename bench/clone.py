"""Thousands of relocatable objects from a few stored ones.

The stored templates (bench/templates, compressed) are what ptxas and nvcc make
of sources.py. A clone is a template with other digits in its symbol and section
names; since they are as long as the ones they replace, only the bytes of the
string tables change, and of what debuggers read.
"""
import gzip
import pathlib
import re
import struct
import subprocess

from sources import CUDA_TEMPLATES, NEXT, SELF, TEMPLATES, header

FOLDER = pathlib.Path(__file__).resolve().parent / "templates"
# Compilers record where they run: always in the same, neutral place.
COMPILED_IN = pathlib.Path("/tmp/culd-bench")
STORED_ARCH = "sm_90"
STORED_FOR_TESTS = [("functions", "sm_100")]
SHT_PROGBITS, SHT_SYMTAB, SHT_STRTAB, SHT_GLOBAL_INIT = 1, 2, 3, 0x70000008
SHF_ALLOC = 2
SYMBOL_SIZE = 24

# With -g a section is named after a number that differs from file to file.
NUMBERED_SECTION = re.compile(rb"(?<=\.nv_debug_ptx_txt\.)\d+")


class Section:
    """Where a section header says that its section lies."""

    def __init__(self, image, at):
        self.at = at
        self.kind, self.flags = struct.unpack_from("<IQ", image, at + 4)
        self.offset, self.size = struct.unpack_from("<QQ", image, at + 24)

    def has_names(self):
        is_for_debuggers = (self.kind == SHT_PROGBITS and
                            not self.flags & SHF_ALLOC)
        return self.kind == SHT_STRTAB or is_for_debuggers


def sections(image):
    headers, = struct.unpack_from("<Q", image, 0x28)
    entry_size, count = struct.unpack_from("<HH", image, 0x3A)
    return [Section(image, headers + index * entry_size)
            for index in range(count)]


def renamed(table, names):
    for marker, number in names:
        digits = f"{number:0{len(marker)}}"
        table = table.replace(marker.encode(), digits.encode())
    own = names[0][1]
    return NUMBERED_SECTION.sub(
        lambda found: f"{own:0{len(found.group())}}".encode(), table)


class Template:
    def __init__(self, image):
        self.image = image
        self.tables = [(section.offset, section.size)
                       for section in sections(image)
                       if section.has_names()]

    def clone(self, self_number, next_number):
        names = ((SELF, self_number), (NEXT, next_number))
        result = bytearray(self.image)
        for offset, size in self.tables:
            table = bytes(result[offset:offset + size])
            result[offset:offset + size] = renamed(table, names)
        return bytes(result)


def enlarge(image, contents):
    """The object with other contents in its one initialised variable."""
    result = bytearray(image)
    result += bytes(-len(result) % 8)
    listed = sections(image)
    for index, section in enumerate(listed):
        if section.kind == SHT_GLOBAL_INIT:
            struct.pack_into("<QQ", result, section.at + 24, len(result),
                             len(contents))
            place = index
    for section in listed:
        if section.kind != SHT_SYMTAB:
            continue
        for at in range(section.offset, section.offset + section.size,
                        SYMBOL_SIZE):
            where, = struct.unpack_from("<H", result, at + 6)
            size, = struct.unpack_from("<Q", result, at + 16)
            if where == place and size:
                struct.pack_into("<Q", result, at + 16, len(contents))
    return bytes(result + contents)


def compile_template(name, arch):
    COMPILED_IN.mkdir(exist_ok=True)
    if name in CUDA_TEMPLATES:
        text, options = CUDA_TEMPLATES[name]
        source, command = "bench.cu", ["nvcc", "-rdc=true", "-cubin"]
    else:
        text, options = TEMPLATES[name]
        text = header(arch) + text
        source, command = "bench.ptx", ["ptxas", "-c"]
    (COMPILED_IN / source).write_text(text)
    subprocess.run(command + [f"-arch={arch}", *options, source,
                              "-o", "bench.cubin"], cwd=COMPILED_IN, check=True)
    return (COMPILED_IN / "bench.cubin").read_bytes()


def stored(name, arch):
    """Where the template is stored, if it is."""
    return (FOLDER if arch == STORED_ARCH else FOLDER / arch) / f"{name}.cubin.gz"


def store_templates():
    """Compile all templates anew into bench/templates."""
    wanted = [(name, STORED_ARCH) for name in (*TEMPLATES, *CUDA_TEMPLATES)]
    for name, arch in wanted + STORED_FOR_TESTS:
        path = stored(name, arch)
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(gzip.compress(compile_template(name, arch), mtime=0))


class Templates:
    """Templates by name: stored ones, or compiled for another architecture."""

    def __init__(self, arch):
        self.arch, self.known = arch, {}

    def __getitem__(self, name):
        if name not in self.known:
            self.known[name] = Template(self.load(name))
        return self.known[name]

    def load(self, name):
        path = stored(name, self.arch)
        if not path.exists():
            return compile_template(name, self.arch)
        return gzip.decompress(path.read_bytes())
