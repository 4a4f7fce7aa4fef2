"""The file of --register-link-binaries: which inputs it lists, and by what names."""
from containers import archive, fatbin, host_object
from input_bench import Case, Folder
from input_templates import CALLER

OPTION = "--register-link-binaries=r.c"
MODULE_IDS = {
    "none": None,
    "usual": b"_2933dfcf_4_b_cu_g\0",
    "empty-section": b"",
    "lone-end": b"\0",
    "unterminated": b"abc",
    "two": b"abc\0def\0",
    "second-unterminated": b"abc\0def",
    "three": b"abc\0def\0ghi\0",
    "many": b"a\0b\0c\0d\0e\0f",
    "first-empty": b"\0abc\0def\0",
    "gaps": b"\0abc\0\0\0def\0\0",
    "odd-characters": b"a-b c.d/e\0",
    "twice": b"abc\0abc\0",
    "high-bytes": b"a\xc3\xa9\0",
}


def id_cases(templates):
    fatbins = templates.fatbin("a")
    for name, text in MODULE_IDS.items():
        yield Case("module-id-" + name, {"x.o": host_object.make(fatbins, text)}, ["x.o", OPTION])
    sections = host_object.sections_of(fatbins, b"first\0") + [(host_object.MODULE_ID, b"second\0")]
    yield Case("two-module-id-sections", {"x.o": host_object.pack(sections)}, ["x.o", OPTION])
    upper = host_object.sections_of(fatbins) + [("__NV_MODULE_ID", b"abc\0")]
    yield Case("module-id-in-capitals", {"x.o": host_object.pack(upper)}, ["x.o", OPTION])


def path_cases(templates):
    files = {
        "a.cubin": templates.cubin("a"),
        "sub/b.90.cubin": templates.cubin("b"),
        "c d-e.o": templates.object("c"),
        "d.fatbin": templates.fatbin("d"),
        "e.ptx": templates.text("e").encode(),
        "f.a": archive.pack([("m.o", templates.object("f")), ("n.o", templates.object("g", module_id="of_n")),
                             ("a_long_name_of_a_member.o", templates.object("h"))]),
        "lib/libx.a": archive.pack([("m.o", templates.object("x"))]),
        "unfit.o": templates.object("u", "sm_75", "of_unfit"),
        "lost.o": templates.object("u", "sm_75"),
        "lost.a": archive.pack([("m.o", templates.object("u", "sm_75")), ("n.o", templates.object("u", "sm_75", "of_n"))]),
        "unfit.fatbin": templates.fatbin("v", "sm_75"),
        "plain.o": host_object.make(None, "of_plain"),
        "whole.o": host_object.pack([(host_object.WHOLE_PROGRAM, templates.fatbin("w")), (host_object.MODULE_ID, b"w\0"),
                                     (host_object.SEGMENT, host_object.WRAPPER)]),
        "empty.o": b"",
        "text.o": b"text" * 50,
        "exec.cubin": templates.executable("y"),
        "exec.fatbin": fatbin.pack([fatbin.elf("90", templates.executable("z"))]),
        "exec.o": host_object.make(fatbin.pack([fatbin.elf("90", templates.executable("z"))]), "of_exec"),
        "equal.o": templates.object("i", module_id="of_n"),
        "twin.cubin": templates.cubin("a"),
        "caller.o": templates.object("c", module_id="of_caller", body=CALLER),
        "there": Folder(),
    }
    lines = {
        "cubins": ["a.cubin", "sub/b.90.cubin"],
        "path-is-not-cleaned": ["./a.cubin", "sub/../sub//b.90.cubin"],
        "blanks-and-dashes": ["c d-e.o"],
        "fatbin-and-ptx": ["d.fatbin", "e.ptx"],
        "members": ["f.a"],
        "library": ["a.cubin", "-Llib", "-lx"],
        "library-in-a-folder-with-dots": ["a.cubin", "-Llib/../lib", "-lx"],
        "unfit": ["unfit.o", "unfit.fatbin", "a.cubin"],
        "not-listed": ["plain.o", "whole.o", "empty.o", "text.o", "exec.cubin", "a.cubin"],
        "object-of-an-executable": ["exec.o", "a.cubin"],
        "fatbin-of-an-executable": ["exec.fatbin", "a.cubin"],
        "unfit-without-id": ["lost.o", "a.cubin"],
        "unfit-member-without-id": ["lost.a", "a.cubin"],
        "equal-ids": ["f.a", "equal.o"],
        "nothing": ["text.o"],
        "multiple-definition": ["a.cubin", "twin.cubin"],
        "undefined-reference": ["caller.o"],
        "relocatable": ["-r", "a.cubin", "f.a"],
        "debug": ["-g", "a.cubin", "f.a"],
    }
    for name, words in lines.items():
        yield Case(name, files, words + [OPTION])
    yield Case("virtual-target", files, ["a.cubin", "f.a", "unfit.o", "e.ptx", "d.fatbin", OPTION], "compute_90", output=False)
    yield Case("cannot-be-written", files, ["a.cubin", "--register-link-binaries=there"])
    yield Case("cannot-be-written-in-a-missing-folder", files, ["a.cubin", "--register-link-binaries=not/there"])
    yield Case("cannot-be-written-for-a-virtual-target", files, ["e.ptx", "--register-link-binaries=there"], "compute_90", output=False)


def cases(templates):
    return list(id_cases(templates)) + list(path_cases(templates))
