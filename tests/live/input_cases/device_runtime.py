"""Inputs whose path contains `cudadevrt`: linked where something needs them, dropped elsewhere."""
from containers import archive, host_object
from input_bench import Case
from input_templates import CALLER, FUNCTION, READER

LINES = """
devrt.a | devrt.a k.o | devrt.a c.o | c.o devrt.a | k.o devrt.a | k.o devrt.a j.o | k.o devrt.a plain.o | k.o devrt.a text.o
k.o devrt.a j.cubin | k.o devrt.a j.ptx | k.o devrt.a unfit.o | v.o devrt.a | c.o devrt.a j.o | d.o devrt.a
k.o devrt.a missing.o | k.o k.o devrt.a j.o | k.o devrt.a j.o j.o | k.o devrt.a unfit.o j.o | k.o devrt.a empty.o j.o
k.o devrt.a copy/devrt.a | c.o devrt.a copy/devrt.a | c.o d.o devrt.a j.o copy/devrt.a k.o | c.o v.o devrt.a j.o copy/devrt.a k.o
k.o two.a | c.o two.a | c.o d.o two.a | two.a c.o two.a | k.o two.a c.o two.a | c.o two.a j.o two.a | two.a k.o c.o ./two.a
c.o x.cubin | k.o x.cubin | x.cubin k.o | k.o x.ptx | c.o x.ptx | x.ptx k.o | k.o x.fatbin | c.o x.fatbin | x.fatbin k.o
k.o old.o | c.o old.o | k.o old.o j.o | old.o k.o | old.o | old.o devrt.a c.o | k.o CUDADEVRT.o | unfit.o devrt.a | unfit.o devrt.a k.o
plain.o devrt.a k.o | plain.o devrt.a c.o | text.o devrt.a c.o | k.o system/j.o | system/j.o k.o | k.o plain-cudadevrt.o j.o
k.o devrt.a devrt.a | k.o empty-cudadevrt.cubin j.o | k.o | c.o
"""
OPTIONS = {"": [], "-kept": ["-keep-system-libraries"], "-relocatable": ["-r"], "-debug": ["-g"]}


def files_of(templates):
    """`devrt.a` and its like stand for names with `cudadevrt` in them."""
    function = templates.object("c", body=FUNCTION, module_id="of_function")
    return {
        "k.o": templates.object("k", module_id="of_k"), "j.o": templates.object("j", module_id="of_j"),
        "j.cubin": templates.cubin("j"), "j.ptx": templates.text("j").encode(), "plain.o": host_object.make(None),
        "c.o": templates.object("c", body=CALLER, module_id="of_c"), "d.o": templates.object("d", body=CALLER, module_id="of_d"),
        "v.o": templates.object("v", body=READER, module_id="of_v"), "text.o": b"text" * 40, "empty.o": b"",
        "unfit.o": templates.object("u", "sm_75", "of_unfit"), "CUDADEVRT.o": function,
        "libcudadevrt.a": archive.pack([("m.o", function)]), "copy/libcudadevrt.a": archive.pack([("m.o", function)]),
        "two-cudadevrt.a": archive.pack([("m.o", function), ("n.o", templates.object("n", module_id="of_n"))]),
        "xcudadevrt.cubin": templates.cubin("c", body=FUNCTION), "xcudadevrt.ptx": templates.text("c", body=FUNCTION).encode(),
        "xcudadevrt.fatbin": templates.fatbin("c", body=FUNCTION), "plain-cudadevrt.o": host_object.make(None),
        "old-cudadevrt.o": templates.object("c", "sm_75", "of_old", body=FUNCTION), "empty-cudadevrt.cubin": b"",
        "cudadevrt.d/j.o": templates.object("j", module_id="of_j"),
    }


ALIASES = {"devrt.a": "libcudadevrt.a", "copy/devrt.a": "copy/libcudadevrt.a", "two.a": "two-cudadevrt.a",
           "./two.a": "./two-cudadevrt.a", "x.cubin": "xcudadevrt.cubin", "x.ptx": "xcudadevrt.ptx",
           "x.fatbin": "xcudadevrt.fatbin", "old.o": "old-cudadevrt.o", "system/j.o": "cudadevrt.d/j.o"}


def cases(templates):
    files, found = files_of(templates), []
    for line in LINES.replace("\n", "|").split("|"):
        words = [ALIASES.get(word, word) for word in line.split()]
        for name, options in OPTIONS.items() if words else ():
            found.append(Case("%s%s" % ("-".join(words).replace("/", ":"), name), files,
                              words + options + ["--register-link-binaries=r.c"]))
    for words in (["k.o", "-lcudadevrt", "-L."], ["c.o", "-lcudadevrt", "-L."], ["c.o", "libcudadevrt.a", "-lcudadevrt", "-L."],
                  ["c.o", "libcudadevrt.a", "-lcudadevrt", "-Lcopy"], ["k.o", "libcudadevrt.a", "-lcudadevrt", "-Lcopy"],
                  ["c.o", "-Lcopy", "-L.", "-lcudadevrt"]):
        found.append(Case("library-" + "-".join(words), files, words + ["--register-link-binaries=r.c"]))
    found.append(Case("virtual-target", files, ["k.o", "libcudadevrt.a", "--register-link-binaries=r.c"], "compute_90", output=False))
    return found
