"""-l, -L, LIBRARY_PATH and -cpu-arch."""
from containers import archive, fatbin, host_object
from input_bench import Case, Folder, Link
from input_cases.archives import NO_NAME

MACHINES = {"x86-64": 62, "aarch64": 183, "ppc64": 21, "i386": 3, "arm": 40, "none": 0, "gpu": 190, "unknown": 77}
NAMELESS = ["text", "20-bytes", "magic-and-newline", "magic-and-garbage"]
CPUS = ["", "X86_64", "AARCH64", "X86", "ARMv7", "PPC64LE", "unknown"]


def pack(*images):
    return archive.MAGIC + b"".join(archive.member("m%d.o/" % number, image) for number, image in enumerate(images))


def search(templates):
    """Command lines over one set of folders; every library defines a kernel of its own."""
    library = lambda letter: archive.pack([("m.o", templates.object(letter))])
    files = {
        "k.o": templates.object("k"), "one/libx.a": library("x"), "two/libx.a": library("y"), "two/libz.a": library("z"),
        "libhere.a": library("h"), "one/libs/q.a": library("q"), "one/lib p.a": library("p"),
        "five/libx.so": b"", "six/libx.so": Folder(), "seven/libx.so": Link("nowhere"), "two/libw.so": b"", "two/libw.a": library("w"),
        "three/libx.a": Link("../one/libx.a"), "one/lib.a": library("e"), "four/liba,b.a": library("c"),
    }
    lines = {
        "found": ["-Lone", "-lx"],
        "before-the-inputs": ["-lx", "-Lone", "k.o"],
        "first-folder-wins": ["-Ltwo", "-Lone", "-lx"],
        "folders-in-one-option": ["-L", "one,two", "-lx,z"],
        "long-options": ["--library-path=one", "--library=x"],
        "words-apart": ["-L", "one", "-l", "x"],
        "missing": ["-Lone", "-lmissing"],
        "missing-folder": ["-Lnot/there", "-Lone", "-lx"],
        "twice": ["-Lone", "-lx", "-lx"],
        "twice-by-a-link": ["-Lone", "-lx", "three/libx.a"],
        "also-as-a-file": ["one/libx.a", "-Lone", "-lx"],
        "order-of-libraries": ["-Lone,two", "-lz", "-lx"],
        "folder-with-dots": ["-Lone/../one/.", "-lx"],
        "folder-with-a-slash": ["-Lone/", "-lx"],
        "folder-with-two-slashes": ["-Lone//", "-lx"],
        "not-in-the-working-folder": ["-lhere"],
        "in-the-working-folder": ["-L.", "-lhere"],
        "slash-in-the-name": ["-Lone", "-ls/q"],
        "blank-in-the-name": ["-Lone", "-l", " p"],
        "file-name": ["-Lone", "-l:libx.a"],
        "empty-name": ["-Lone", "-l", ""],
        "comma-in-the-name": ["-Lfour", "-la\\,b"],
        "shared-library-in-an-earlier-folder": ["-Lfive", "-Lone", "-lx"],
        "shared-library-in-a-later-folder": ["-Lone", "-Lfive", "-lx"],
        "shared-library-is-a-folder": ["-Lone", "-Lsix", "-lx"],
        "shared-library-is-a-dangling-link": ["-Lone", "-Lseven", "-lx"],
        "shared-library-beside": ["-Ltwo", "-lw", "-lz"],
        "shared-library-in-no-folder-of-the-search": ["-Lone", "-lx"],
        "no-other-input": ["-Lone", "-lx"],
    }
    for name, words in lines.items():
        yield Case(name, files, words if name == "no-other-input" else ["k.o"] + [word for word in words if word != "k.o"])
    twin = dict(files, **{"k.o": templates.object("x")})
    for path in ("one/", "one//", "one/./", "./one", "one/../one/"):
        yield Case("name-of-a-member-in-%r" % path, twin, ["k.o", "-lx", "-L" + path])
    for path in ("one", "one/", ":one", "one:", "::one", "not/there:one", "two:one", "", ":", "'one'"):
        yield Case("environment-%r" % path, twin, ["k.o", "-lx"], environment={"LIBRARY_PATH": path})
    for path in ("five", "five:one", "one:five"):
        yield Case("environment-with-a-shared-library-%r" % path, twin, ["k.o", "-lx", "-Lone"], environment={"LIBRARY_PATH": path})
    yield Case("environment-after-options", twin, ["k.o", "-lx", "-Ltwo"], environment={"LIBRARY_PATH": "one"})


def archives(templates):
    """name -> what stands in the first folder where the library is looked for."""
    packed = templates.fatbin("x")
    sections = host_object.sections_of(packed)
    of = lambda machine, **more: host_object.pack(sections, machine=machine, **more)
    good = of(62)
    found = {"machine-" + name: pack(of(machine)) for name, machine in MACHINES.items()}
    found.update({
        "machine-i386-of-32-bit": pack(of(3, ident=b"\x7fELF\1\1\1" + bytes(9))),
        "cubin-first": pack(templates.cubin("c"), good),
        "cubin-alone": pack(templates.cubin("c")),
        "two-machines": pack(good, host_object.pack(host_object.sections_of(templates.fatbin("y")), machine=183)),
        "two-machines-turned": pack(host_object.pack(host_object.sections_of(templates.fatbin("y")), machine=183), good),
        "text-first": pack(b"text" * 30, good),
        "text-last": pack(good, b"text" * 30),
        "empty-first": pack(b"", good),
        "plain-object": pack(host_object.make(None)),
        "program": pack(of(62, type=2)),
        "with-an-index": archive.pack([("m.o", good)], index=archive.symbol_index(2)),
    })
    return found


def contents(templates):
    good = templates.object("x")
    return {
        "object": good, "text": b"text" * 40, "text-with-slashes": b"text/" * 40, "empty-file": b"", "7-bytes": archive.MAGIC[:7],
        "8-bytes": b"12345678", "20-bytes": b"x" * 20, "magic": archive.MAGIC, "magic-and-newline": archive.MAGIC + b"\n",
        "magic-and-garbage": archive.MAGIC + b"x" * 60, "magic-and-header": archive.MAGIC + archive.header("m.o/", 100),
        "object-that-fails": pack(host_object.make(fatbin.pack([fatbin.elf("90", templates.cubin("c", "sm_75"))]))),
        "folder": Folder(),
    }


def cases(templates):
    found = list(search(templates))
    others = {"two/libx.a": archive.pack([("m.o", templates.object("y"))]), "k.o": templates.object("k")}
    words = ["k.o", "-lx", "-L", "one,two"]
    for name, image in archives(templates).items():
        for cpu in CPUS:
            found.append(Case("%s-for-%s" % (name, cpu or "any"), {**others, "one/libx.a": image},
                              words + (["-cpu-arch=" + cpu] if cpu else [])))
    for name, image in contents(templates).items():
        files = {**others, "one/libx.a": image, "unfit.o": templates.object("u", "sm_75")}
        instead = NO_NAME if name in NAMELESS else None
        for suffix, more in (("", []), ("-before-a-warning", ["unfit.o"]), ("-before-a-missing-file", ["missing.o"]),
                             ("-and-warnings-are-errors", ["-Werror"])):
            found.append(Case("library-is-%s%s" % (name, suffix), files, words + more, instead=instead))
    return found
