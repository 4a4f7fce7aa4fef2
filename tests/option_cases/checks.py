"""What is checked once all options are known, and in which order: every two problems together."""
import itertools

from .case import OBJECTS, Case, Libnvvm

# Each alone stops the link or gives a message.
PROBLEMS = {
    "no-arch": {"arch": None},
    "lto-arch": {"arch": "lto_90"},
    "no-output": {"output": None},
    "output-nowhere": {"output": "nowhere/out.cubin"},
    "no-inputs": {"inputs": []},
    "missing-input": {"words": ["none.cubin"]},
    "debug-info": {"words": ["-suppress-debug-info"]},
    "two-callgraphs": {"words": ["-dump-callgraph", "-dump-callgraph-no-demangle"]},
    "two-host-infos": {"words": ["-use-host-info", "-ignore-host-info"]},
    "host-info-and-names": {"words": ["-use-host-info", "-kernels-used=first"]},
    "lto-without-path": {"words": ["-lto"]},
    "lto-without-library": {"words": ["-dlto", "-nvvmpath=nowhere"]},
    "ptx-without-lto": {"words": ["-emit-ptx"]},
    "ptx-and-threads": {"words": ["-lto", "-nvvmpath=nowhere", "-emit-ptx", "-split-compile-extended=2"]},
    "level-without-lto": {"words": ["-Ofc=max"]},
    "unknown-level": {"words": ["-lto", "-nvvmpath=nowhere", "-Ofc=best"]},
    "preserved": {"words": ["-preserve-relocs"]},
    "api-version": {"words": ["-cuda-api-version=x"]},
    "api-major": {"words": ["-cuda-api-version=12.0"]},
    "time-nowhere": {"words": ["-time=nowhere/time.csv"]},
    "uidx-missing": {"words": ["-uidx=none"]},
    "uidx-empty": {"words": ["-uidx=empty"]},
    "uidx-unknown": {"words": ["-uidx=kernels.cubin"]},
    "script-with-inputs": {"words": ["-ghls=lcs-aug"]},
    "register-nowhere": {"words": ["--register-link-binaries=nowhere/reg.c"]},
    "undefined": {"words": ["undefined.cubin"]},
    "recursion": {"words": ["recursive.cubin"]},
    "unknown-option": {"words": ["-bogus"]},
    "bad-value": {"words": ["-cpu-arch=z80"]},
    "redefined": {"words": ["-nvvmpath=a", "-nvvmpath=nowhere"]},
    "too-much": {"words": ["-maxrregcount=99999999999"]},
    "version-too-old": {"words": ["-cuda-api-version=13.-1"]},
}


def command(*problems, extra=()):
    chosen = {"arch": "sm_90", "output": "out.cubin", "inputs": OBJECTS}
    words = []
    for problem in problems:
        words += problem.get("words", [])
        chosen.update({key: value for key, value in problem.items() if key != "words"})
    start = ["-arch=" + chosen["arch"]] if chosen["arch"] else []
    end = ["-o", chosen["output"]] if chosen["output"] else []
    return start + chosen["inputs"] + words + list(extra) + end


def cases():
    files = {"empty": b""}
    for name, problem in PROBLEMS.items():
        yield Case(name, command(problem), files=files)
        for extra in (["-Werror"], ["-disable-infos"], ["-w"], ["-tool-name=tool"]):
            yield Case(name + extra[0], command(problem, extra=extra), files=files)
        if name != "no-arch":       # nvlink dies of that
            yield Case(name + "-report-arch", command(problem, extra=["-report-arch"]), files=files)
    for a, b in itertools.combinations(PROBLEMS, 2):
        yield Case(a + "+" + b, command(PROBLEMS[a], PROBLEMS[b]), files=files)
    yield Case("nothing-at-all", [])
    yield Case("only-inputs", OBJECTS)
    library = {"nvvm/lib64/libnvvm.so": Libnvvm()}
    for level in ("0", "min", "mid", "max", "", "1", "Max"):
        yield Case("level[%s]" % level, command(extra=["-lto", "-nvvmpath=nvvm", "-Ofc=" + level]), files=library, needs="libnvvm")
