"""What culd adds, and where it is not nvlink that must be followed."""
from input_bench import Folder, Instead

from .case import LINK, OBJECTS, Case, options

VERSION = r"\Aculd: CUDA device linker, version [0-9.]+\n.*release 13\.0, V13\.0\.88\n\Z"


def same_as(name, command, plain, files=None):
    """A spelling that nvlink does not know gives what nvlink does for another one."""
    files = files or {}
    return Case(name, command, files=files, instead=Instead("nvlink does not know it", like=Case(name, plain, files=files)))


def cases():
    at = {"words.txt": b"-v -Werror", "objects.txt": b"\"kernels.cubin\" library.cubin", "outer.txt": b"@words.txt -w", "@kept.cubin": b"",
          "kept.cubin": b"-bogus"}
    yield same_as("options-file-by-at", LINK + ["@words.txt"], LINK + ["-v", "-Werror"], at)
    yield same_as("inputs-by-at", ["-arch=sm_90", "@objects.txt", "-o", "out.cubin"], LINK, at)
    yield same_as("at-inside-a-file", LINK + ["-optf", "outer.txt"], LINK + ["-v", "-Werror", "-w"], at)
    yield Case("file-of-that-very-name-is-an-input", LINK + ["@kept.cubin"], files=at)
    yield Case("no-such-options-file", LINK + ["@none.txt"], files=at)
    yield options("folder-is-no-options-file", "-optf", "folder", files={"folder": Folder()},
                  instead=Instead("nvlink reads nothing", stderr="Could not open options file 'folder'"))
    yield Case("report-arch-without-arch", OBJECTS + ["-report-arch", "-o", "out.cubin"],
               instead=Instead("nvlink dies", stderr=r"fatal   : Unknown arch name '\(null\)'\n\Z"))
    yield Case("identify-as-another-tool", LINK + ["--identify-as=ld"],
               instead=Instead("nvlink does not know it", stderr="Value 'ld' is not defined for option 'identify-as'"))
    for words in (["-V"], ["--version"], ["-V", "-arch=sm_90", "none.cubin"]):
        yield Case("version" + "".join(words), words, instead=Instead("culd is not nvlink", exit=0, stderr=r"\A\Z", stdout=VERSION))
    yield Case("version-under-another-name", ["-V", "-tool-name=tool"],
               instead=Instead("culd is not nvlink", exit=0, stderr=r"\A\Z", stdout=VERSION.replace("culd", "tool")))
    for words in (["-h"], ["--help"], ["-h", "-V"], ["-V", "-h"], ["-h", "-ghls"]):
        yield Case("help" + "".join(words), words, instead=Instead("culd is not nvlink", exit=0, stderr=r"\A\Z", stdout=r"\AUsage: culd "))
    for words in (["-h", "-bogus"], ["-V", "-o"], ["-h", "-optf=none"], ["-V", "-arch=sm_1"]):
        yield Case("help-after-errors" + "".join(words), words)
    for words in (["-dependency-file=deps.d"], ["--dependency-file", "deps.d"]):
        yield Case("dependencies" + "".join(words), LINK + words,
                   instead=Instead("nvlink does not know it", exit=0, stderr=r"\A\Z", files={"deps.d": r"\Aout.cubin:.*kernels.cubin.*library.cubin"}))
    for words in (["--threads=1"], ["-threads", "3"], ["--threads=1000000"]):
        yield same_as("threads" + "".join(words), LINK + words, LINK)
    yield Case("threads-are-counted", LINK + ["--threads=all"],
               instead=Instead("nvlink does not know it", stderr="'all': expected a number"))
    yield same_as("trust-inputs", LINK + ["--trust-inputs"], LINK)
    yield Case("stats", LINK + ["--stats"],
               instead=Instead("nvlink does not know it", exit=0, stderr=r"\A\Z",
                               stdout=r"\Aphase +ms +peak MB\ninit .*\nmerge .*\nwrite files .*\nfiles +2\n.*\nbytes written +\d+\n\Z"))
    yield Case("time-trace", LINK + ["--time-trace=trace.json"],
               instead=Instead("nvlink does not know it", exit=0, stderr=r"\A\Z",
                               files={"trace.json": r'\A\{"traceEvents":\[\n.*"name":"merge".*"name":"write files".*\]'}))
    yield Case("time-trace-that-cannot-be-written", LINK + ["--time-trace=none/trace.json"],
               instead=Instead("nvlink does not know it", exit=1, stderr="Cannot open file 'none/trace.json'"))
