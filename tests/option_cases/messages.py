"""What options do to messages: which are said, with which class, and the exit status."""
import itertools

from .case import LINK, OBJECTS, Case, stored_inputs

SITUATIONS = {
    "well": OBJECTS,
    "recursion": OBJECTS + ["recursive.cubin"],
    "undefined": ["undefined.cubin"],
    "undefined-and-recursion": ["undefined.cubin", "recursive.cubin"],
    "undefined-variable": ["variable.cubin"],
    "twice": ["library.cubin", "library.cubin"],
    "other-arch": ["old.cubin"],
    "nothing": ["empty.cubin"],
    "missing": OBJECTS + ["none.cubin"],
    "preserved": OBJECTS + ["-preserve-relocs"],
    "preserved-recursion": ["recursive.cubin", "-preserve-relocs"],
}
OPTIONS = ["-w", "-Werror", "-disable-infos", "-suppress-stack-size-warning", "-suppress-arch-warning", "-report-arch", "-extrawarn", "-v",
           "-dump-callgraph", "-dump-callgraph-no-demangle", "-r", "-g", "-allow-undefined-globals", "-kernels-used=second", "-tool-name=tool"]


PAIRED = ("-Werror", "-disable-infos", "-report-arch")


def choices():
    """Each option alone, and beside those that change all messages."""
    yield ()
    yield from ((word,) for word in OPTIONS)
    yield from (pair for pair in itertools.combinations(OPTIONS, 2) if pair[0] in PAIRED or pair[1] in PAIRED)


def is_right(situation, words):
    """nvlink's -r output is wrong where shared memory is, and says so nowhere."""
    return not ("-r" in words and "kernels.cubin" in SITUATIONS[situation])


def cases():
    files = {"old.cubin": stored_inputs("sm_75")["kernels.cubin"], "empty.cubin": b""}
    for situation, inputs in SITUATIONS.items():
        for words in choices():
            if is_right(situation, words):
                yield Case("-".join([situation] + [w.lstrip("-") for w in words]),
                           ["-arch=sm_90"] + inputs + list(words) + ["-o", "out.cubin"], files=files)
    for words in (["-v"], ["-v", "-dump-callgraph"], ["-preserve-relocs"], ["-force-rela"], ["-g"], ["-reserve-null-pointer"]):
        yield Case("sm_75" + "".join(words), ["-arch=sm_75"] + LINK[1:] + words, target="sm_75")
    yield Case("virtual-target", ["-arch=compute_90"] + OBJECTS + ["-v", "-dump-callgraph"])
    yield Case("virtual-target-that-is-older", ["-arch=compute_75"] + OBJECTS)
