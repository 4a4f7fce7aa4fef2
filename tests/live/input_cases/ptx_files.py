"""PTX: which files are taken for it, how it is compiled, and what is said about it."""
from containers import archive, fatbin, host_object
from input_bench import Case, Instead

RECURSIVE = """.version 9.0
.target sm_90
.address_size 64
.visible .func turn();
.visible .func turn()
{
    call turn;
    ret;
}
.visible .entry start()
{
    call turn;
    ret;
}
"""
FORGETS = Instead("after compiling PTX, nvlink has forgotten -Werror", 255, r"^culd error   : Stack size for entry function 'start'")
WARNS = Instead("after compiling PTX, nvlink has forgotten -disable-infos", 0, r"^$")
ONE_LINE_LESS = Instead("nvlink leaves one of ptxas's lines out", 1, r"Unsupported .version 99.0; current version is '9.0'\n")


def texts(good):
    """name -> (contents of a .ptx file, what culd does instead)."""
    plain = {
        "usual": good,
        "comment-first": b"// a comment\n" + good,
        "block-comment-first": b"/* a .comment */" + good,
        "many-comments-first": b"//x\n\n/* y\n */ // z\n\t" + good,
        "long-comment-first": b"//" + b"x" * 5000 + b"\n" + good,
        "blanks-first": b"\n\n\t \r\n" + good,
        "carriage-returns": good.replace(b"\n", b"\r\n"),
        "word-first": b"word " + good,
        "slash-first": b"/ " + good,
        "line-directive-first": b"# 1 \"x\"\n" + good,
        "byte-order-mark": b"\xef\xbb\xbf" + good,
        "nul-first": b"\0" + good,
        "nul-last": good + b"\0",
        "nul-inside": good + b"\0" + b"junk" * 10,
        "no-newline-last": good.rstrip(),
        "target-first": b".target sm_75\n.version 9.0\n.address_size 64\n" + b"\n" * 30,
        "version-in-a-comment": b"// .version 9.0\n.target sm_75\n" + b" " * 50,
        "version-in-capitals": good.replace(b".version", b".VERSION"),
        "version-without-blank": good.replace(b".version ", b".version"),
        "old-version": good.replace(b"9.0", b"1.0"),
        "unclosed-comment": b"/* " + good,
        "heading-alone": good[:good.index(b".visible")] + b"\n" * 30,
        "blanks-alone": b" " * 80,
        "syntax-error": good + b"junk\n",
        "two-errors": good.replace(b"ret;", b"mov.u32 %r1, 5; mov.u32 %r2, 6; ret;"),
        "newer-target": good.replace(b"sm_75", b"sm_100"),
        "target-with-suffix": good.replace(b"sm_75", b"sm_90a"),
        "32-bit-addresses": good.replace(b"_size 64", b"_size 32"),
        "old-target": good.replace(b"sm_75", b"sm_50"),
        "undefined-function": good + b".visible .func missing();\n.visible .entry other() { call missing; ret; }\n",
    }
    found = {name: (text, None) for name, text in plain.items()}
    found["newer-version"] = (good.replace(b"9.0", b"99.0"), ONE_LINE_LESS)
    return found


OPTIONS = [["-g"], ["-g", "-suppress-debug-info"], ["-maxrregcount=32"], ["-Xptxas", "-O1"], ["-Xptxas", "-O1,-v"], ["-Xptxas", "-O1 -v"],
           ["-Xptxas", "-v", "-Xptxas", "--warn-on-spills"], ["-g", "-Xptxas", "-O0", "-maxrregcount=40"], ["-v"], ["-r"],
           ["-preserve-relocs"], ["-report-arch", "-Xptxas=-v"], ["-disable-infos", "-Xptxas=-v"], ["-Xptxas", "word"],
           ["-Xptxas", "-unknown"], ["-Xptxas", "\"-O1\""], ["-Xptxas", "'-O1'"], ["-Xptxas", "-Werror", "-g"],
           ["-verbose-tkinfo=true"], ["-w"], ["-extrawarn"], ["-time", "-"], ["-time", "t.csv"], ["-maxrregcount=abc"]]
ENTRY_OPTIONS = ["", "--compile-only  ", "-O1 -v --compile-only  ", "--compile-only  -g --dont-merge-basicblocks --return-at-end ",
                 "--compile-only  --generate-line-info ", "--compile-only  --maxrregcount 24 ", "-arch=sm_80 ", "--unknown ", "word"]


def entries(templates):
    text = templates.text("p")
    for number, options in enumerate(ENTRY_OPTIONS):
        image = fatbin.pack([fatbin.ptx("75", text, options=options)])
        for kind, files in (("object", {"x.o": host_object.make(image)}), ("fatbin", {"x.fatbin": image})):
            name = "%s-with-options-%d" % (kind, number)
            yield Case(name, files, list(files))
            yield Case(name + "-and-registers", files, list(files) + ["-maxrregcount=32"])
            yield Case(name + "-and-debug", files, list(files) + ["-g"])
    for name, payload in (("junk", b"junk\0"), ("empty", b"\0"), ("nothing", b""), ("unterminated", text.encode() + b" "),
                          ("no-version", b".target sm_75\n\0")):
        image = fatbin.pack([fatbin.ptx("75", payload)])
        yield Case("entry-of-" + name, {"x.o": host_object.make(image)}, ["x.o"])
    without = fatbin.pack([fatbin.ptx("75", text, options=None)])
    usual = Case("", {"x.o": host_object.make(fatbin.pack([fatbin.ptx("75", text, options="")]))}, ["x.o"])
    yield Case("entry-without-options", {"x.o": host_object.make(without)}, ["x.o"],
               instead=Instead("nvlink crashes", like=usual))


def mixtures(templates):
    files = {
        "a.ptx": templates.text("a").encode(), "b.ptx": templates.text("b").encode(), "bad.ptx": templates.text("c").encode() + b"junk",
        "worse.ptx": templates.text("c").encode() + b"more junk", "r.cubin": templates.compile(RECURSIVE),
        "x.o": host_object.make(templates.ptx_fatbin("x")), "y.fatbin": templates.ptx_fatbin("y"),
        "z.a": archive.pack([("m.o", host_object.make(templates.ptx_fatbin("z")))]), "t.csv": b"",
        "unfit.o": templates.object("u", "sm_75"), "k.cubin": templates.cubin("k"), "twin.ptx": templates.text("k").encode(),
    }
    for words in (["a.ptx", "b.ptx", "x.o", "y.fatbin", "z.a"], ["bad.ptx", "worse.ptx"], ["a.ptx", "unfit.o", "bad.ptx", "worse.ptx"],
                  ["k.cubin", "twin.ptx"], ["-Xptxas", "-v", "b.ptx", "unfit.o", "a.ptx", "k.cubin", "k.cubin"],
                  ["-time", "-", "a.ptx", "x.o", "y.fatbin", "z.a", "k.cubin"], ["-time", "t.csv", "a.ptx", "bad.ptx"],
                  ["-report-arch", "bad.ptx"], ["-Xptxas", "-v", "-report-arch", "x.o", "a.ptx"], ["-Xptxas", "-unknown", "k.cubin"]):
        yield Case("mixture-" + "-".join(words), files, words)
    yield Case("warnings-are-errors-after-ptx", files, ["-Werror", "a.ptx", "r.cubin"], instead=FORGETS)
    yield Case("warnings-are-silent-after-ptx", files, ["-disable-infos", "a.ptx", "r.cubin"], instead=WARNS)
    for target in ("sm_90", "sm_90a"):
        yield Case("target-" + target, files, ["a.ptx", "x.o"], target)


def cases(templates):
    good = templates.text("p").encode()
    found = list(entries(templates)) + list(mixtures(templates))
    for name, (text, instead) in texts(good).items():
        found.append(Case("text-" + name, {"x.ptx": text}, ["x.ptx"], instead=instead))
    for options in OPTIONS:
        found.append(Case("with" + "-".join(options), {"x.ptx": good}, ["x.ptx"] + options))
    return found
