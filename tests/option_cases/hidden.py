"""Options that are not in the help."""
from cubinedit import apply_edits
from input_bench import Instead

from .case import LINK, Case, options, stored_inputs

COMBINATIONS = [
    [], ["-g"], ["-preserve-relocs"], ["-v"], ["-kernels-used=second"], ["-kernels-used=first,second", "-g", "-suppress-debug-info"],
]


def reserved(target, sections):
    """The inputs with functions that use the memory reserved for the system."""
    marks = [{"do": "add-record", "section": ".nv.info." + name, "format": 1, "attribute": "0x41"} for name in sections]
    return {name: apply_edits(data, [m for m in marks if m["section"][9:] in names])
            for name, names in (("kernels.cubin", ("first", "second")), ("library.cubin", ("twice",)))
            for data in [stored_inputs(target)[name]]}


def cases():
    for option in ("-reserve-null-pointer", "-disable-smem-reservation=true", "-force-rela", "-shared", "-syscall-const-offset=64"):
        for target in ("sm_75", "sm_90"):
            for words in COMBINATIONS:
                yield Case("%s-%s%s" % (option.strip("-"), target, "".join(words)), ["-arch=" + target] + LINK[1:] + [option] + words,
                           target=target)
    for marks in (["twice"], ["second"], ["second", "twice"], ["first", "second", "twice"]):
        for words in ([], ["-v"], ["-g"], ["-dump-callgraph"]):
            yield options("reserved-memory-of-%s%s" % ("-".join(marks), "".join(words)), "-disable-smem-reservation=true", *words,
                          files=reserved("sm_90", marks))
    unused = {"library.cubin": apply_edits(stored_inputs("sm_90")["library.cubin"],
                                           [{"do": "add-record", "section": ".nv.info.twice", "format": 1, "attribute": "0x41"}])}
    yield Case("reserved-memory-of-a-removed-function", ["-arch=sm_90", "library.cubin", "-disable-smem-reservation=true", "-o", "out.cubin"],
               files=unused, instead=Instead("nvlink names '(null)'", exit=0, stderr=r"\A\Z", files={"out.cubin": "ELF"}))
    yield options("reserved-memory-without-the-option", files=reserved("sm_90", ["twice"]))
    undefined = ["-arch=sm_90", "variable.cubin", "-o", "out.cubin"]
    yield Case("undefined-variable-is-allowed", undefined + ["-allow-undefined-globals"])
    yield Case("undefined-variable-is-not-allowed", undefined)
    yield Case("undefined-function-is-never-allowed", ["-arch=sm_90", "undefined.cubin", "-o", "out.cubin", "--allow-undefined-globals"])
    for version in ("13.0", "13.-1", "13.-100", "13.-200", "13.2147483647"):
        yield Case("api-version-" + version, ["-arch=sm_90", "kernels.cubin", "-cuda-api-version", version, "-o", "out.cubin"])
        yield Case("api-version-%s-of-a-partial-link" % version,
                   ["-arch=sm_90", "recursive.cubin", "-r", "-cuda-api-version", version, "-o", "out.cubin"])
    for words in (["-bogus"], ["-o", "a"], ["none.cubin"], ["-v"], ["-report-arch", "-v"]):
        yield options("tool-name" + "".join(words), "-tool-name=tool", *words)
        yield options("empty-tool-name" + "".join(words), "--tool-name=", *words)
