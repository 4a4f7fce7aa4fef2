"""Fields of fatbins and of their entries, one at a time wrong."""
import struct

from containers import fatbin, host_object
from input_bench import Case, Instead

PAST_THE_END = Instead("nvlink reads past the end, and crashes or hangs")
OUTSIDE = Instead("nvlink looks there only if another entry fits as well, and crashes")
# A fatbin in a file named .ptx in which nothing fits: nvlink warns and crashes.
UNFIT_PTX = Instead("nvlink warns, then crashes", 0, r"SM Arch \('sm_90'\) not found in 'x.ptx'\n$")


def with_type(cubin, number):
    return cubin[:16] + struct.pack("<H", number) + cubin[18:]


def containers(a, b, old):
    """name -> (bytes of a fatbin, what culd does instead)."""
    one = fatbin.elf("90", a)
    first, second = fatbin.elf("75", old), fatbin.elf("90", b)
    size = len(one.pack())
    found = {
        "no-entries": (fatbin.pack([]) + bytes(64), None),
        "version-0": (fatbin.pack([one], version=0), None),
        "version-2": (fatbin.pack([one], version=2), None),
        "no-magic": (fatbin.pack([one], magic=0x12345678), None),
        "size-0": (fatbin.pack([one], size=0), None),
        "size-of-the-first-entry": (fatbin.pack([one, second], size=size), None),
        "size-of-the-unfit-entry": (fatbin.pack([first, second], size=len(first.pack())), None),
        "size-short-by-one": (fatbin.pack([first, second], size=len(first.pack() + second.pack()) - 1), None),
        "size-huge": (fatbin.pack([one], size=1 << 62), PAST_THE_END),
        "header-size-huge": (fatbin.pack([one], header_size=0xffff), PAST_THE_END),
        "two-containers": (fatbin.pack([one]) + fatbin.pack([second]), None),
        "second-container-fits": (fatbin.pack([first]) + fatbin.pack([second]), None),
        "cut-in-the-only-entry": (fatbin.pack([one])[:-1600], PAST_THE_END),
        "cut-in-the-second-entry": (fatbin.pack([first, one])[:-1600], PAST_THE_END),
        "cut-in-the-second-header": (fatbin.pack([first, one])[:16 + len(first.pack()) + 30], PAST_THE_END),
    }
    return found


def entries(templates, a, b, old):
    """name -> (entries, what culd does instead)."""
    elf, good = fatbin.elf, fatbin.elf("90", b)
    lies = lambda **fields: [elf("90", a, fields=fields)]
    found = {
        "entry-version": (lies(version=0x0202), None),
        "equal-entries": ([elf("90", a), good], None),
        "not-64-bit": (lies(flags=0x10), None),
        "not-64-bit-before-a-good-one": (lies(flags=0x10) + [good], None),
        "both-suffixes": (lies(flags=0x300011), None),
        "high-flags": (lies(flags=0xfffffff000000011), None),
        "scrambled-flag-on-a-cubin": (lies(flags=0x10011), None),
        "key-on-a-cubin": (lies(key=5), None),
        "wild-identifier": (lies(identifier_offset=1 << 30), None),
        "wild-options-of-a-cubin": (lies(options_offset=1 << 30), OUTSIDE),
        "wild-compat-block": (lies(options_offset=1 << 30, flags=0x1000011), OUTSIDE),
        "header-size-0": (lies(header_size=0), Instead("nvlink reads the header as a cubin")),
        "header-size-63": (lies(header_size=63), Instead("nvlink reads the cubin from its place less one")),
        "header-size-65": (lies(header_size=65) + [good], Instead("the next entry is not where it should be")),
        "header-size-huge": (lies(header_size=1 << 31), PAST_THE_END),
        "data-size-0": (lies(size=0), Instead("nvlink takes the first bytes of the cubin for the next entry")),
        "data-size-huge": (lies(size=1 << 40), PAST_THE_END),
        "data-size-negative": ([elf("75", old, fields={"size": 1 << 63}), good], PAST_THE_END),
        "executable": ([elf("90", templates.executable("a"))], None),
        "executable-before-a-good-one": ([elf("90", templates.executable("a")), good], None),
        "cubin-of-another-target": ([elf("90", old)], None),
        "cubin-behind-another-target": ([elf("75", a)], None),
        "text-as-a-cubin": ([elf("90", b"text" * 50)], None),
        "nothing-as-a-cubin": ([elf("90", b"")], None),
        "host-object-as-a-cubin": ([elf("90", host_object.make(None))], None),
        "fatbin-as-a-cubin": ([elf("90", fatbin.pack([elf("90", a)]))], None),
        "ptx-as-a-cubin": ([elf("90", templates.text().encode() + b"\0")], None),
        "cut-cubin": ([elf("90", a[:40])], Instead("nvlink crashes")),
        "options-before-the-second-of-equal-entries": (
            [elf("90", a), elf("90", b, fields={"options_offset": (1 << 32) - 24})], Instead("nvlink crashes")),
        "kind-16": ([fatbin.Entry(16, "90", a)], Instead("nvlink crashes")),
    }
    for kind in (0, 3, 4, 5, 6, 7, 9, 0x20, 0x40, 0x80, 0x100):
        found["kind-%d" % kind] = ([fatbin.Entry(kind, "90", a)], None)
        found["kind-%d-before-a-good-one" % kind] = ([fatbin.Entry(kind, "90", a), good], None)
    for number in (0, 3, 4, 0xfe00, 0xffff):
        found["cubin-of-type-%x" % number] = ([elf("90", with_type(a, number))], None)
    return {name: (fatbin.pack(list_of), instead) for name, (list_of, instead) in found.items()}


def cases(templates):
    a, b, old = templates.cubin("a"), templates.cubin("b"), templates.cubin("o", "sm_75")
    found = []
    for name, (image, instead) in {**containers(a, b, old), **entries(templates, a, b, old)}.items():
        found.append(Case(name + "-in-a-fatbin", {"x.fatbin": image}, ["x.fatbin"], instead=instead))
        found.append(Case(name + "-in-an-object", {"x.o": host_object.make(image)}, ["x.o"], instead=instead))
    gap = Case("longer-header", {"x.fatbin": fatbin.pack([fatbin.elf("90", a)], header_size=24, gap=bytes(8))}, ["x.fatbin"])
    found.append(gap)
    return found
