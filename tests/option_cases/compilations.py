"""Options that are passed on to ptxas where an input is PTX."""
from .case import Case

TEXT = b""".version 8.0
.target sm_90
.address_size 64
.visible .entry compiled() { ret; }
"""
OPTIONS = [[], ["-g"], ["-g", "-suppress-debug-info"], ["-maxrregcount=0"], ["-maxrregcount=010"], ["-maxrregcount=-5"], ["-maxrregcount=32"],
           ["-maxrregcount=256"], ["-maxrregcount=1000"], ["-split-compile=0"], ["-split-compile=1"], ["-split-compile=2"],
           ["-split-compile=-1"], ["-split-compile-extended=2"], ["-split-compile=2", "-split-compile-extended=3"],
           ["-device-stack-protector=true"], ["-device-stack-protector=false"], ["-cuda-api-version=13.0"], ["-cuda-api-version=13.1"],
           ["-cuda-api-version=13.00"], ["-cuda-api-version=+13.0"], ["-Xptxas=-O1"], ["-Xptxas=-O1,-v"], ["-Xptxas=-O1", "-Xptxas=-O2"],
           ["-Xptxas=-foo"], ["-Xptxas="], ["-Xptxas=-maxrregcount=32", "-maxrregcount=64"], ["-Xptxas=-split-compile=4", "-split-compile=2"],
           ["-Xptxas=-warn-spills"], ["-Xnvvm=-g"], ["-w"], ["-Werror"], ["-v"], ["-r"], ["-report-arch"], ["-report-arch", "-Xptxas=-v"],
           ["-time=-"], ["-time=time.csv"], ["-preserve-relocs"], ["-disable-infos", "-Xptxas=-v"], ["-tool-name=tool"],
           ["-tool-name=tool", "-Xptxas=-foo"]]


def cases():
    files = {"text.ptx": TEXT, "wrong.ptx": TEXT.replace(b"ret", b"rot"), "newer.ptx": TEXT.replace(b"sm_90", b"sm_100")}
    for words in OPTIONS:
        yield Case("text" + "".join(words), ["-arch=sm_90", "text.ptx", "-o", "out.cubin"] + words, files=files, needs="ptxas", stored=False)
    for name in ("wrong.ptx", "newer.ptx"):
        for words in ([], ["-report-arch"], ["-time=-"]):
            yield Case(name + "".join(words), ["-arch=sm_90", "text.ptx", name, "-o", "out.cubin"] + words, files=files, needs="ptxas",
                       stored=False)
