"""Link-time optimisation where there is nothing to optimise."""
from .case import OBJECTS, Case, Libnvvm

FILES = {"nvvm/lib64/libnvvm.so": Libnvvm(), "empty.o": b"", "text.o": b"text" * 50, "bad.cubin": b"text" * 50, "text.bc": b"text" * 50,
         "empty.ltoir": b""}
INPUTS = [OBJECTS, ["recursive.cubin"], ["empty.o"], ["text.o"], ["empty.o", "recursive.cubin"], ["recursive.cubin", "none.o"],
          ["recursive.cubin", "bad.cubin"], ["bad.cubin"], ["text.bc"], ["empty.ltoir"], ["undefined.cubin"], ["recursive.cubin"] * 2]
OPTIONS = [[], ["-dlto"], ["-Werror"], ["-disable-infos"], ["-w"], ["-report-arch"], ["-v"], ["-emit-ptx"], ["-split-compile=2"],
           ["-split-compile-extended=2"], ["-split-compile=2", "-split-compile-extended=3"], ["-emit-ptx", "-split-compile-extended=2"],
           ["-emit-ptx", "-split-compile-extended=1"], ["-emit-ptx", "-split-compile-extended=0"], ["-Ofc"], ["-Ofc", "-v"],
           ["-maxrregcount=32"], ["-Xnvvm=-foo"], ["-Xptxas=-foo"], ["-device-stack-protector=true"], ["--register-link-binaries=reg.c"]]


def cases():
    start = ["-lto", "-nvvmpath=nvvm", "-o", "out.cubin"]
    for inputs in INPUTS:
        for words in OPTIONS if inputs == OBJECTS else OPTIONS[:4]:
            yield Case("+".join(inputs + words), ["-arch=sm_90"] + start + inputs + words, files=FILES, needs="libnvvm")
    for target in ("compute_90", "lto_90"):
        for words in ([], ["-Werror"]):
            yield Case(target + "".join(words), ["-arch=" + target, "--register-link-binaries=reg.c"] + start + OBJECTS + words,
                       files=FILES, needs="libnvvm")
