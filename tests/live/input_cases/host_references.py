"""Host references: when they decide which kernels are roots, and which names match."""
from containers import archive, fatbin, host_object
from input_bench import Case, Instead

# A kernel of each binding, a function that only one of them calls, a variable and a shared array.
PROGRAM = """.version 9.0
.target sm_90
.address_size 64
.visible .global .u32 number = 7;
.visible .func helper()
{
    ret;
}
.visible .entry outer()
{
    .shared .align 4 .b8 room[64];
    .reg .u32 %at;
    mov.u32 %at, room;
    st.shared.u32 [%at], %at;
    ret;
}
.visible .entry outer2()
{
    call helper;
    ret;
}
.weak .entry weak_one()
{
    ret;
}
.entry inner()
{
    .shared .align 4 .b8 room[128];
    .reg .u32 %at;
    mov.u32 %at, room;
    st.shared.u32 [%at], %at;
    ret;
}
"""
TAKEN = """.version 9.0
.target sm_90
.address_size 64
.visible .entry named()
{
    ret;
}
.visible .entry taken()
{
    ret;
}
.visible .global .u64 table[1] = {taken};
.visible .entry other()
{
    ret;
}
"""
MATCHES = {
    "exact": {"KE": ["outer"]},
    "prefix-alone": {"KE": ["out"]},
    "star": {"KE": ["out*"]},
    "star-alone": {"KE": ["*"]},
    "star-in-front": {"KE": ["*er2"]},
    "star-in-the-middle": {"KE": ["o*2"]},
    "several-stars": {"KE": ["*u*e*"]},
    "star-for-nothing": {"KE": ["outer*"]},
    "two-stars-in-a-row": {"KE": ["out**2"]},
    "question-mark": {"KE": ["oute?"]},
    "brackets": {"KE": ["out[a-z]r"]},
    "other-case": {"KE": ["OUTER"]},
    "weak-kernel": {"KE": ["weak_one"]},
    "local-kernel-as-external": {"KE": ["inner"]},
    "local-kernel": {"KI": ["inner"]},
    "external-kernel-as-internal": {"KI": ["outer"]},
    "weak-kernel-as-internal": {"KI": ["weak_one"]},
    "star-as-internal": {"KI": ["*"]},
    "both": {"KE": ["outer2"], "KI": ["inn*"]},
    "no-match": {"KE": ["nothing"]},
    "variable-as-kernel": {"KE": ["number"]},
    "kernel-as-variable": {"DE": ["outer"]},
    "variables-only": {"DE": ["number"], "CE": ["number"], "DI": ["number"], "CI": ["number"]},
    "nothing-named": {},
    "empty-strings-between": {"KE": ["", "outer", "", ""]},
    "function": {"KE": ["helper"]},
    "backtracking": {"KE": ["*o*u*t*e*r*x"]},
}
OPTIONS = [[], ["-use-host-info"], ["-ignore-host-info"], ["-g"], ["-preserve-relocs"], ["-kernels-used=outer2"],
           ["-variables-used=number"], ["-v", "-dump-callgraph"], ["-use-host-info", "-kernels-used=outer2"], ["-use-host-info", "-g"],
           ["-Werror"], ["-keep-system-libraries"], ["-verbose-tkinfo=true"]]


def matching(templates):
    packed = fatbin.pack([fatbin.elf("90", templates.compile(PROGRAM))])
    for name, references in MATCHES.items():
        yield Case("match-" + name, {"x.o": host_object.make(packed, **references)}, ["-v", "-dump-callgraph", "x.o"])
    for options in OPTIONS:
        yield Case("with" + "-".join([""] + options or ["-nothing"]), {"x.o": host_object.make(packed, KE=["outer"])},
                   options + ["x.o"])
    yield Case("with-r", {"x.o": templates.object("a"), "y.o": templates.object("b", KE=["kernel_b"])}, ["-r", "x.o", "y.o"])
    taken = fatbin.pack([fatbin.elf("90", templates.compile(TAKEN))])
    for name in ("named", "other", "taken"):
        yield Case("address-of-a-kernel-is-taken-%s-is-named" % name, {"x.o": host_object.make(taken, KE=[name])}, ["x.o"])


def raw(packed, *sections):
    return host_object.pack([(host_object.FATBIN, packed), (host_object.SEGMENT, host_object.WRAPPER)] + list(sections))


def companions(templates):
    """name -> files that stand beside an object whose kernel is named and one whose kernel is not."""
    old, plain = templates.fatbin("o", "sm_75"), host_object.make(None, references=None)
    whole = [(host_object.WHOLE_PROGRAM, templates.fatbin("w")), (host_object.SEGMENT, host_object.WRAPPER), (".nvHRKE", b"\0")]
    executable = fatbin.pack([fatbin.elf("90", templates.executable("e"))])
    return {
        "nothing": {},
        "cubin": {"c.cubin": templates.cubin("c")},
        "cubin-named-o": {"c.o": templates.cubin("c")},
        "executable-cubin": {"c.cubin": templates.executable("c")},
        "executable-cubin-named-o": {"c.o": templates.executable("c")},
        "executable-cubin-in-an-object": {"c.o": host_object.make(executable, references=None)},
        "executable-cubin-in-an-object-that-names": {"c.o": host_object.make(executable, KE=["kernel_b"])},
        "fatbin": {"c.fatbin": templates.fatbin("c")},
        "fatbin-of-an-executable": {"c.fatbin": executable},
        "unfit-fatbin": {"c.fatbin": old},
        "ptx": {"c.ptx": templates.text("c").encode()},
        "plain-object": {"c.o": plain},
        "plain-object-with-references": {"c.o": host_object.make(None)},
        "plain-object-that-names": {"c.o": host_object.make(None, KE=["kernel_b"])},
        "whole-program": {"c.o": host_object.pack(whole)},
        "unfit-object": {"c.o": host_object.make(old)},
        "unfit-object-that-names": {"c.o": host_object.make(old, KE=["kernel_b"])},
        "unfit-object-without-references": {"c.o": host_object.make(old, references=None)},
        "object-without-references": {"c.o": templates.object("c", references=None)},
        "object-with-internal-references-only": {"c.o": templates.object("c", KE=None)},
        "object-with-empty-section": {"c.o": raw(templates.fatbin("c"), (".nvHRKE", b""))},
        "object-with-two-sections": {"c.o": raw(templates.fatbin("c"), (".nvHRKE", b"\0"), (".nvHRKE", b"kernel_c\0"))},
        "object-with-unterminated-name": {"c.o": raw(templates.fatbin("c"), (".nvHRKE", b"x\0kernel_c"))},
        "object-with-section-without-bits": {"c.o": raw(templates.fatbin("c"), (".nvHRKE", b"kernel_c\0", {"type": 8}))},
        "object-with-wild-section": {"c.o": raw(templates.fatbin("c"), (".nvHRKE", b"kernel_c\0", {"offset": 1 << 40}))},
        "empty-file": {"c.o": b""},
        "empty-cubin": {"c.cubin": b""},
        "text": {"c.o": b"text" * 50},
        "file-without-extension": {"c": templates.object("c", references=None)},
        "shared-object": {"c.so": host_object.pack(host_object.sections_of(None, references=None), type=3)},
        "relocatable-shared-object": {"c.so": templates.object("c", references=None)},
        "empty-archive": {"c.a": archive.MAGIC},
        "archive-of-objects": {"c.a": archive.pack([("m.o", templates.object("c")), ("n.o", templates.object("d", KE=["kernel_d"]))])},
        "archive-with-a-plain-object": {"c.a": archive.pack([("m.o", templates.object("c")), ("n.o", plain)])},
        "archive-with-a-plain-object-with-references": {"c.a": archive.pack([("n.o", host_object.make(None))])},
        "archive-with-a-cubin": {"c.a": archive.pack([("m.o", templates.object("c")), ("n.o", templates.cubin("d"))])},
        "archive-with-a-text": {"c.a": archive.pack([("m.o", templates.object("c")), ("n.o", b"text" * 20)])},
        "archive-with-a-program": {"c.a": archive.pack([("n.o", host_object.pack(host_object.sections_of(None), type=3))])},
        "archive-with-an-unfit-object": {"c.a": archive.pack([("n.o", host_object.make(old, references=None))])},
        "device-runtime-unneeded": {"cudadevrt.a": archive.pack([("m.o", templates.object("c", references=None))])},
        "device-runtime-unneeded-that-names": {"cudadevrt.a": archive.pack([("m.o", templates.object("c", KE=["kernel_b"]))])},
        "device-runtime-of-a-plain-object": {"cudadevrt.a": archive.pack([("m.o", plain)])},
    }


UNTERMINATED = Instead("nvlink takes the name as if it ended, or reads on")


def mixing(templates):
    pair = {"a.o": templates.object("a", KE=["kernel_a"]), "b.o": templates.object("b")}
    silent = {"a.o": templates.object("a"), "b.o": templates.object("b")}
    for name, files in companions(templates).items():
        words = list(files)
        instead = UNTERMINATED if "unterminated" in name else None
        lists = {
            "beside-": (pair, ["a.o", "b.o"] + words),
            "behind-": (pair, words + ["a.o", "b.o"]),
            "nothing-named-beside-": (silent, ["a.o", "b.o"] + words),
            "kept-libraries-beside-": (pair, ["-keep-system-libraries", "a.o", "b.o"] + words),
        }
        for place, (others, arguments) in lists.items():
            yield Case(place + name, {**others, **files}, arguments, instead=instead)


def cases(templates):
    return list(matching(templates)) + list(mixing(templates))
