"""Linker scripts for the host: -ghls."""
from .case import OBJECTS, Case

REST = [[], ["-o", "script"], ["-o", "-"], ["-arch=sm_90"], ["-arch=lto_90"], ["-v", "-suppress-debug-info"], ["-lto"], ["-Ofc=best"],
        ["-lnothing"], ["-uidx=none"], ["-cuda-api-version=x"], ["--register-link-binaries=reg.c"], ["-time", "time.csv"], ["-time", "-"],
        ["-tool-name=tool"], ["-arch=sm_90", "-report-arch"], ["-o", "script", "-o", "second"]]
COMPILERS = ["gcc", "clang", "/nowhere/cc", "false", "true", ""]


def cases():
    for words in REST:
        yield Case("lcs-aug%s" % "".join(words), ["-ghls=lcs-aug"] + words)
    yield Case("lcs-aug-nowhere", ["-ghls=lcs-aug", "-o", "nowhere/script"])
    for words in (["-ghls", "lcs-aug"], ["--gen-host-linker-script", "lcs-aug"], ["--gen-host-linker-script=lcs-aug"]):
        yield Case("spelled" + "".join(words), words)
    for value in ("", "lcs", "LCS-AUG", "lcs-aug lcs-abs", "kernels.cubin"):
        yield Case("unknown[%s]" % value, ["-ghls", value])
    for words in (["-ghls"], ["-ghls", "-v"], ["-ghls=lcs-aug"], ["-ghls=lcs-aug", "-arch=sm_90", "-report-arch"]):
        yield Case("with-inputs" + "".join(words), OBJECTS + words)
    # The host's own linker speaks in the rest.
    for words in (["-ghls"], ["-ghls", "-w"], ["-ghls=lcs-abs"], ["-ghls", "-o", "script"], ["-ghls=lcs-aug", "-ghls=lcs-abs"]):
        yield Case("whole" + "".join(words), words, needs="ld", stored=False)
    for compiler in COMPILERS:
        yield Case("whole-of[%s]" % compiler, ["-ghls=lcs-abs", "-host-ccbin", compiler], needs="ld", stored=False)
