"""Programs that nvcc -ewp compiled, by themselves and beside other objects."""
from containers import archive, fatbin, host_object
from input_bench import Case
from input_cases.fatbins import with_type

EXTENSIBLE = 0xff00
LINES = """
e.o | e.o f.o | a.o e.o | e.o a.o | a.o b.o e.o | a.o e.o b.o f.o | a.cubin e.cubin | e.cubin a.cubin | a.a e.o | e.a a.o | e.o p.ptx
p.ptx e.o | e.o cudadevrt.a | a.o e-cudadevrt.a | a.o cudadevrt.a e.o | e.o unfit.o | unfit.o e.o | e.o plain.o | a.o twin.o e.o
a.o e.o missing.o | a.o unfit.o e.o b.o | a.o e.o e.o | named-e.o a.o
"""
OPTIONS = {"": [], "-kept": ["-keep-system-libraries"], "-errors": ["-Werror"], "-silent": ["-disable-infos"], "-relocatable": ["-r"],
           "-debug": ["-g", "-v"]}
FORGOTTEN = ("-errors", "-silent")      # by nvlink, once it has compiled PTX


def cases(templates):
    def extensible(letter):
        return with_type(templates.cubin(letter), EXTENSIBLE)

    def packed(letter):
        return host_object.make(fatbin.pack([fatbin.elf("90", extensible(letter))]))

    files = {
        "a.o": templates.object("a"), "b.o": templates.object("b"), "e.o": packed("e"), "f.o": packed("f"), "twin.o": templates.object("a"),
        "a.cubin": templates.cubin("a"), "e.cubin": extensible("e"), "a.a": archive.pack([("m.o", templates.object("a"))]),
        "e.a": archive.pack([("m.o", packed("e"))]), "p.ptx": templates.text("p").encode(), "named-e.o": extensible("e"),
        "cudadevrt.a": archive.pack([("m.o", templates.object("d"))]), "e-cudadevrt.a": archive.pack([("m.o", packed("d"))]),
        "unfit.o": templates.object("u", "sm_75"), "plain.o": host_object.make(None),
    }
    found = []
    for line in LINES.replace("\n", "|").split("|"):
        for name, options in OPTIONS.items() if line.strip() else ():
            if "p.ptx" in line and name in FORGOTTEN:
                continue
            found.append(Case("-".join(line.split()) + name, files, options + line.split()))
    return found
