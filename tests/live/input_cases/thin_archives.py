"""Thin archives, whose members are files of their own.

nvlink looks for them in the working folder, whatever the archive's, and takes a path only up to its first slash; so it
reads those of plain names in archives of the working folder, and nothing else. culd looks where `ar` put them.
"""
from containers import archive
from input_bench import Case, Instead

LOST = "nvlink does not find members in folders"


def cases(templates):
    a, b, twin = templates.object("a"), templates.object("b"), templates.object("a")
    files = {"m.o": a, "n.o": twin, "b.o": b, "t.txt": b"text" * 30, "e.o": b"", "c.cubin": templates.cubin("c"),
             "inner.a": archive.pack([("q.o", b)]), "k.cubin": templates.cubin("k")}
    thin = lambda *names, **more: archive.pack_thin([(name, len(files.get(name, b""))) for name in names], **more)
    archives = {
        "plain": thin("m.o", "b.o"),
        "double": thin("m.o", "n.o"),
        "with-an-index": thin("m.o", "b.o", index=archive.symbol_index(3)),
        "short-names": archive.THIN_MAGIC + archive.header("m.o/", len(a)) + archive.header("b.o/", len(b)),
        "missing-member": thin("m.o", "missing.o"),
        "wrong-size": archive.pack_thin([("m.o", 10), ("b.o", len(b) + 100)]),
        "size-0": archive.pack_thin([("m.o", 0), ("b.o", 0)]),
        "text-between": thin("m.o", "t.txt", "b.o"),
        "empty-between": thin("m.o", "e.o", "b.o"),
        "cubin-between": thin("m.o", "c.cubin", "b.o"),
        "archive-between": thin("m.o", "inner.a", "b.o"),
        "cut": thin("m.o", "b.o")[:-20],
    }
    found = [Case(name, {**files, "x.a": image}, ["k.cubin", "x.a"]) for name, image in archives.items()]
    whole = Case("", {**files, "x.a": archive.pack([("m.o", a), ("b.o", b)])}, ["k.cubin", "x.a"])
    inside = {"d/x.a": thin("m.o", "b.o"), "d/m.o": a, "d/b.o": b, "k.cubin": files["k.cubin"]}
    found.append(Case("in-a-folder", inside, ["k.cubin", "d/x.a"], instead=Instead(LOST, like=whole)))
    below = {"x.a": thin("d/m.o", "d/b.o"), "d/m.o": a, "d/b.o": b, "k.cubin": files["k.cubin"]}
    found.append(Case("members-in-a-folder", below, ["k.cubin", "x.a"], instead=Instead(LOST, like=whole)))
    above = {"d/x.a": thin("../m.o", "../b.o"), "m.o": a, "b.o": b, "k.cubin": files["k.cubin"]}
    found.append(Case("members-above", above, ["k.cubin", "d/x.a"], instead=Instead(LOST, like=whole)))
    library = {**files, "libx.a": thin("m.o", "b.o")}
    found.append(Case("library", library, ["k.cubin", "-L.", "-lx"]))
    return found
