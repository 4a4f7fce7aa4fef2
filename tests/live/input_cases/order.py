"""The order in which inputs are read, checked and merged, as it shows in messages and results; and with -Werror."""
from itertools import permutations

from containers import archive, fatbin, host_object
from input_bench import Case, Instead

FORGOTTEN = Instead("after compiling PTX, nvlink has forgotten -Werror", 255, "^culd error   : SM Arch")
BROKEN_PTX = b".version 9.0\n.target sm_90\n.address_size 64\nthis is no instruction\n"


def files_of(templates):
    """Files that are sound, files that are warned about, files that end the link."""
    old = templates.fatbin("o", "sm_75")
    return {
        "good.cubin": templates.cubin("g"),
        "same.cubin": templates.cubin("g"),
        "good.o": templates.object("h"),
        "good.ptx": templates.text("p").encode(),
        "good.fatbin": templates.fatbin("f"),
        "good.a": archive.pack([("m.o", templates.object("m")), ("n.o", templates.object("n"))]),
        "cubin.o": templates.cubin("c"),
        "unfit.o": host_object.make(old),
        "unfit.fatbin": old,
        "unfit.a": archive.pack([("m.o", host_object.make(old))]),
        "other.cubin": templates.cubin("o", "sm_75"),
        "broken.o": host_object.make(fatbin.pack([fatbin.elf("90", bytes(100), "zstd", fields={"plain_size": 7})])),
        "broken.a": archive.pack([("m.o", templates.object("q")), ("n.o", host_object.make(b"no fatbin here" * 9))]),
        "broken.ptx": BROKEN_PTX,
        "plain.o": host_object.make(None),
        "whole.o": host_object.pack([(host_object.WHOLE_PROGRAM, templates.fatbin("w")),
                                     (host_object.SEGMENT, host_object.WRAPPER)]),
        "empty.o": b"",
        "text.o": b"text " * 50,
        "nothing.a": archive.MAGIC,
        "lib/libgood.a": archive.pack([("m.o", templates.object("l"))]),
        "lib/libskipped.a": archive.MAGIC,
    }


# Each is linked in every order of its words.
GROUPS = [
    ["good.cubin", "unfit.o", "other.cubin"],
    ["unfit.o", "unfit.fatbin", "missing.o"],
    ["good.cubin", "same.cubin", "unfit.o"],
    ["broken.o", "broken.ptx", "missing.o"],
    ["broken.a", "broken.ptx", "unfit.o"],
    ["good.cubin", "same.cubin", "broken.o"],
    ["good.o", "good.ptx", "good.a"],
    ["good.fatbin", "good.cubin", "good.a"],
    ["unfit.a", "good.o", "good.a"],
    ["-lgood", "good.o", "good.a"],
    ["-lskipped", "unfit.o", "missing.o"],
]
AFTER_AN_ERROR = ["good.cubin", "good.o", "good.ptx", "good.fatbin", "good.a", "cubin.o", "unfit.o", "unfit.fatbin", "unfit.a",
                  "other.cubin", "broken.o", "broken.a", "broken.ptx", "plain.o", "whole.o", "empty.o", "text.o",
                  "nothing.a", "missing.o", "-lgood", "-lskipped"]


def cases(templates):
    files, found = files_of(templates), []
    for group in GROUPS:
        for words in permutations(group):
            found.append(Case("-".join(words), files, ["-Llib"] + list(words)))
    for word in AFTER_AN_ERROR:
        found.append(Case("warning-is-an-error-before-" + word, files, ["-Llib", "-Werror", "unfit.o", word]))
        found.append(Case("warning-is-an-error-after-" + word, files, ["-Llib", "-Werror", word, "unfit.o"]))
        found.append(Case("warning-is-silent-before-" + word, files, ["-Llib", "-disable-infos", "unfit.o", word]))
    for case in found:
        if case.name == "warning-is-an-error-after-good.ptx":
            case.instead = FORGOTTEN
    for option in ("-suppress-arch-warning", "-report-arch", "-v", "-Xptxas=-v", "-w", "-extrawarn"):
        found.append(Case("messages-with" + option, files, [option, "unfit.o", "good.ptx", "unfit.fatbin", "good.a"]))
    return found
