"""Host objects: which of their sections count, and damaged headers."""
from containers import fatbin, host_object
from input_bench import Case, Instead

SEGMENT = (host_object.SEGMENT, host_object.WRAPPER)
BIG = b"\x7fELF\2\2\1" + bytes(9)


def section_lists(a, b):
    """name -> sections; `a` and `b` are fatbins."""
    rel, whole, segment = host_object.FATBIN, host_object.WHOLE_PROGRAM, host_object.SEGMENT
    return {
        "usual": [(rel, a), SEGMENT],
        "segment-first": [SEGMENT, (rel, a)],
        "two-fatbin-sections": [(rel, a), (rel, b), SEGMENT],
        "two-fatbins-in-a-section": [(rel, a + b), SEGMENT],
        "empty-fatbin-section": [(rel, b""), SEGMENT],
        "empty-fatbin-section-before-another": [(rel, b""), (rel, b), SEGMENT],
        "fatbin-behind-zeros": [(rel, bytes(16) + a), SEGMENT],
        "no-segment": [(rel, a)],
        "empty-segment": [(rel, a), (segment, b"")],
        "segment-of-junk": [(rel, a), (segment, b"junk" * 5)],
        "segment-alone": [SEGMENT],
        "whole-program": [(whole, b), SEGMENT],
        "whole-program-without-segment": [(whole, b)],
        "relocatable-and-whole-program": [(rel, a), (whole, b), SEGMENT],
        "whole-program-and-relocatable": [(whole, b), (rel, a), SEGMENT],
        "no-sections": [],
        "fatbin-section-without-bits": [(rel, a, {"type": host_object.SHT_NOBITS}), SEGMENT],
        "fatbin-section-of-wild-size": [(rel, a, {"size": 1 << 40}), SEGMENT],
        "fatbin-section-at-a-wild-place": [(rel, a, {"offset": 1 << 40}), SEGMENT],
        "fatbin-section-smaller-than-its-fatbin": [(rel, a, {"size": 100}), SEGMENT],
        "other-section-at-a-wild-place": [(rel, a), SEGMENT, (".text", b"x", {"offset": 1 << 40})],
        "names-that-only-begin-so": [(rel + "x", a), (segment + "x", b"")],
        "no-fatbin-in-the-fatbin-section": [(rel, b"text" * 50), SEGMENT],
    }


def damaged(sections):
    """name -> bytes of a file whose ELF header is wrong somewhere."""
    whole = host_object.pack(sections)
    return {
        "big-endian": host_object.pack(sections, ident=BIG),
        "no-class": host_object.pack(sections, ident=b"\x7fELF\0\0\0" + bytes(9)),
        "no-magic": host_object.pack(sections, ident=b"\x7eELF\2\1\1" + bytes(9)),
        "of-no-type": host_object.pack(sections, type=0),
        "of-a-high-type": host_object.pack(sections, type=0xff00),
        "other-machine": host_object.pack(sections, machine=host_object.AARCH64),
        "no-machine": host_object.pack(sections, machine=0),
        "too-many-sections": host_object.pack(sections, shnum=60000),
        "wild-section-table": host_object.pack(sections, shoff=1 << 40),
        "no-section-table": host_object.pack(sections, shoff=0),
        "no-section-size": host_object.pack(sections, shentsize=0),
        "no-section-names": host_object.pack(sections, shstrndx=0),
        "wild-section-names": host_object.pack(sections, shstrndx=500),
        "no-sections-counted": host_object.pack(sections, shnum=0),
        "cut-at-1000": whole[:1000],
        "cut-at-64": whole[:64],
        "cut-at-60": whole[:60],
        "cut-in-the-section-table": whole[:-64],
    }


# Counts and indices that contradict each other.
STATEMENTS = dict.fromkeys(("wild-section-names", "no-sections-counted"), Instead("nvlink finds no device code and says nothing"))


def cases(templates):
    a, b = templates.fatbin("a"), templates.fatbin("b")
    found = [Case("fatbin-section-of-8-bytes", {"x.o": host_object.make(a[:8])}, ["x.o"], instead=Instead("nvlink crashes"))]
    for name, sections in section_lists(a, b).items():
        image = host_object.pack(sections)
        found.append(Case(name, {"x.o": image}, ["x.o", "--register-link-binaries=r.c"]))
    for name, image in damaged(host_object.sections_of(a)).items():
        instead = STATEMENTS.get(name)
        found.append(Case("object-" + name, {"x.o": image}, ["x.o"], instead=instead))
        found.append(Case("other-extension-" + name, {"x.obj": image}, ["x.obj"], instead=instead))
    for name, image in damaged(host_object.sections_of(None)).items():
        files = {"x.o": image, "k.cubin": templates.cubin("k")}
        found.append(Case("plain-object-" + name, files, ["x.o", "k.cubin"], instead=STATEMENTS.get(name)))
    return found
