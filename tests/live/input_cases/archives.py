"""Archives given as files: formats, names, members of every kind, and damage."""
from containers import archive, fatbin, host_object
from input_bench import Case, Folder, Instead, Link

MAGIC, member = archive.MAGIC, archive.member
# Where nothing ends the name, nvlink looks for its end behind the file.
NO_NAME = Instead("nvlink reads past the end, to varying effect", 1,
                  r"^culd fatal   : unexpected archive format\nculd fatal   : elfLink internal error\n$")
LINE_ENDS = Instead("nvlink prints the line ends in the names", 1, r"'x.a:def.o.', first defined in 'x.a:abc.o.def.o.'\n")
CUT = Instead("nvlink reads past the end or passes over what is there", 1, r"^culd fatal   : Input file 'x.a.* is damaged: ")
STATEMENTS = {"magic-and-newline": NO_NAME, "magic-and-garbage": NO_NAME, "table-without-slashes": LINE_ENDS,
              "object-with-wild-section-table": CUT, "object-with-wrong-order": CUT, "object-cut": CUT,
              **dict.fromkeys(("size-past-the-end", "size-too-small", "cut-behind-a-header", "cut-in-a-member",
                               "magic-and-a-header"), CUT)}


def formats(a, twin, other):
    """Two members that define the same kernel: the error names both."""
    index = archive.symbol_index
    return {
        "plain": archive.pack([("m.o", a), ("n.o", twin)]),
        "with-an-index": archive.pack([("m.o", a), ("n.o", twin)], index=index(3)),
        "with-a-64-bit-index": archive.pack([("m.o", a), ("n.o", twin)], index=index(3, "/SYM64/", 8)),
        "with-a-bsd-index": archive.pack([("m.o", a), ("n.o", twin)], index=index(3, "__.SYMDEF")),
        "index-in-the-middle": MAGIC + member("m.o/", a) + index(2) + member("n.o/", twin),
        "object-as-index": MAGIC + member("/", a) + member("n.o/", twin),
        "long-name": archive.pack([("m.o", a), ("a_name_that_is_longer_than_a_header.o", twin)]),
        "all-names-in-the-table": archive.pack([("m.o", a), ("n.o", twin)], table_for_all=True),
        "slash-in-a-long-name": archive.pack([("m.o", a), ("folder/of/n.o", twin)]),
        "equal-names": archive.pack([("m.o", a), ("m.o", twin)]),
        "name-without-extension": archive.pack([("m.o", a), ("n", twin)]),
        "name-of-a-cubin": archive.pack([("m.o", a), ("n.cubin", twin)]),
        "name-of-a-shared-object": archive.pack([("m.o", a), ("n.so", twin)]),
        "name-of-a-ptx-file": archive.pack([("m.o", a), ("n.ptx", twin)]),
        "blank-in-a-name": MAGIC + member("m.o/", a) + member("n n.o/", twin),
        "names-without-end": MAGIC + member("m.o", a) + member("n.o", twin),
        "second-name-without-end": MAGIC + member("m.o/", a) + member("n.o", twin),
        "name-of-16-characters": MAGIC + member("m.o/", a) + member("sixteencharsname", twin),
        "name-ends-in-the-date": MAGIC + member("m.o/", a) + member("n.o", twin, date="0/"),
        "bsd": archive.pack_bsd([("m.o", a), ("n.o", twin)]),
        "no-table-of-names": MAGIC + member("m.o/", a) + member("/99", twin),
        "past-the-table-of-names": MAGIC + member("//", b"m.o/\n") + member("/0", a) + member("/99", twin),
        "into-a-name-of-the-table": MAGIC + member("//", b"abc.o/\ndef.o/\n") + member("/0", a) + member("/1", twin),
        "table-without-slashes": MAGIC + member("//", b"abc.o\ndef.o\n") + member("/0", a) + member("/6", twin),
        "two-tables": (MAGIC + member("//", b"abc.o/\n") + member("/0", a) + member("//", b"xyz.o/\n") + member("/0", twin)),
    }


def sizes(a, twin):
    second = member("n.o/", twin)
    odd = a + b"x"
    return {
        "odd-size-is-padded": MAGIC + member("m.o/", odd) + second,
        "odd-size-is-padded-with-zero": MAGIC + member("m.o/", odd, pad=b"\0") + second,
        "odd-size-is-not-padded": MAGIC + member("m.o/", odd, pad=b"") + second,
        "odd-size-at-the-end": MAGIC + member("m.o/", a) + member("n.o/", twin + b"x", pad=b""),
        "header-ends-otherwise": MAGIC + member("m.o/", a) + member("n.o/", twin, end=b"xx"),
        "size-past-the-end": MAGIC + member("m.o/", a) + member("n.o/", twin, size=len(twin) + 1000),
        "size-too-small": MAGIC + member("m.o/", a) + member("n.o/", twin, size=len(twin) - 100),
        "size-is-no-number": MAGIC + member("m.o/", a) + member("n.o/", twin, size="abc"),
        "size-is-negative": MAGIC + member("m.o/", a) + member("n.o/", twin, size="-5"),
        "size-is-blank": MAGIC + member("m.o/", a) + member("n.o/", twin, size=""),
        "cut-in-a-header": MAGIC + member("m.o/", a) + second[:30],
        "cut-behind-a-header": MAGIC + member("m.o/", a) + second[:60],
        "cut-in-a-member": MAGIC + member("m.o/", a) + second[:1000],
        "magic-alone": MAGIC,
        "thin-magic-alone": archive.THIN_MAGIC,
        "magic-and-newline": MAGIC + b"\n",
        "magic-cut": MAGIC[:7],
        "magic-and-zeros": MAGIC + bytes(100),
        "magic-and-garbage": MAGIC + b"x" * 100,
        "magic-and-a-header": MAGIC + archive.header("m.o/", 100),
    }


def between(templates):
    """What may stand between two members that are linked."""
    packed = templates.fatbin("c")
    sections = host_object.sections_of(packed)
    return {
        "empty": b"",
        "short-elf": b"\x7fELF",
        "text": b"text" * 30,
        "cubin": templates.cubin("c"),
        "fatbin": packed,
        "ptx": templates.text("c").encode(),
        "archive": archive.pack([("q.o", templates.object("c"))]),
        "shared-object": host_object.pack(host_object.sections_of(None), type=host_object.ET_DYN),
        "program-with-code": host_object.pack(sections, type=host_object.ET_EXEC),
        "shared-object-with-code": host_object.pack(sections, type=host_object.ET_DYN),
        "object-of-another-machine": host_object.pack(sections, machine=host_object.AARCH64),
        "object-with-wrong-class": host_object.pack(sections, ident=b"\x7fELF\1\1\1" + bytes(9)),
        "object-with-wrong-order": host_object.pack(sections, ident=b"\x7fELF\2\2\1" + bytes(9)),
        "plain-object": host_object.make(None),
        "unfit-object": host_object.make(templates.fatbin("c", "sm_75")),
        "object-of-ptx": host_object.make(templates.ptx_fatbin("c")),
        "object-without-fatbin": host_object.make(b"text" * 30),
        "object-with-wild-section-table": host_object.pack(sections, shoff=1 << 40),
        "object-cut": host_object.pack(sections)[:1000],
        "object-of-another-target": host_object.make(fatbin.pack([fatbin.elf("90", templates.cubin("c", "sm_75"))])),
        "object-that-cannot-be-unpacked": host_object.make(
            fatbin.pack([fatbin.elf("90", templates.cubin("c"), "zstd", fields={"plain_size": 9})])),
    }


def repeated(a, b):
    one = archive.pack([("m.o", a)])
    return [
        Case("twice-the-same", {"x.a": one}, ["x.a", "x.a"]),
        Case("twice-spelled-otherwise", {"x.a": one}, ["x.a", "./x.a"]),
        Case("twice-by-a-link", {"x.a": one, "y.a": Link("x.a")}, ["y.a", "x.a"]),
        Case("twice-by-a-copy", {"x.a": one, "y.a": one}, ["x.a", "y.a"]),
        Case("twice-between-others", {"x.a": one, "b.o": b}, ["x.a", "b.o", "x.a"]),
        Case("folder-named-so", {"x.a": Folder(), "b.o": b}, ["b.o", "x.a"]),
    ]


def cases(templates):
    a, b, twin = templates.object("a"), templates.object("b"), templates.object("a")
    found = repeated(a, b)
    for name, image in {**formats(a, twin, b), **sizes(a, twin)}.items():
        found.append(Case(name, {"x.a": image, "k.o": templates.object("k")}, ["k.o", "x.a"], instead=STATEMENTS.get(name)))
    for name, image in between(templates).items():
        packed = MAGIC + member("m.o/", a) + member("x.o/", image) + member("n.o/", b)
        instead = STATEMENTS.get(name)
        found.append(Case("%s-between-members" % name, {"x.a": packed}, ["x.a", "--register-link-binaries=r.c"], instead=instead))
        first = MAGIC + member("x.o/", image) + member("m.o/", a)
        found.append(Case("%s-as-first-member" % name, {"x.a": first}, ["x.a"], instead=instead))
    return found
