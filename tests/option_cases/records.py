"""The command line in the note of the output."""
import random

from .case import LINK, Case, Libnvvm, stored_inputs
from .table import HIDDEN, OPTIONS

FILES = {"options.txt": b"", "nvvm/lib64/libnvvm.so": Libnvvm(), "sub/a.cubin": stored_inputs("sm_90")["recursive.cubin"]}
# These end the link, conflict, or need the lines of LINK to be others.
LEFT_OUT = {"arch", "output-file", "machine", "emit-ptx", "Ofast-compile", "link-time-opt", "dlto", "suppress-debug-info",
            "dump-callgraph-no-demangle", "use-host-info", "warning-as-error", "relocatable-link"}


def word(option):
    form = option.forms()[0]
    return form if option.kind == "flag" else form + "=" + option.good


def cases():
    chosen = [option for option in OPTIONS + HIDDEN if option.long not in LEFT_OUT]
    words = [word(option) for option in chosen]
    yield Case("all-in-order", LINK + words, files=FILES)
    yield Case("all-in-reverse", LINK[:1] + words[::-1] + LINK[1:], files=FILES)
    lto = ["-lto", "-dlto", "-nvvmpath=nvvm", "-emit-ptx", "-Ofc=mid"]
    rest = [w for w in words if not w.startswith("--nvvmpath")]
    yield Case("all-with-link-time-options", LINK + rest + lto, files=FILES, needs="libnvvm")
    yield Case("all-in-a-debug-link", LINK + words + ["-g", "-suppress-debug-info", "sub/a.cubin"], files=FILES)
    yield Case("files-without-their-folders", ["-arch=sm_90", "sub/a.cubin", "./kernels.cubin", "library.cubin", "-o", "sub/out.cubin", "-g",
                                               "-time=sub/t", "--register-link-binaries", "sub/r"], files=FILES)
    yield Case("no-files-although-debug", LINK + ["-g", "-verbose-tkinfo=false", "-time=t"], files=FILES)
    yield Case("files-although-no-debug", LINK + ["-verbose-tkinfo=true", "-time=t"], files=FILES)
    order = random.Random(13)
    for number in range(40):
        some = order.sample(words, order.randint(1, 8))
        yield Case("some-%d" % number, LINK + some + (["-g"] if number % 3 == 0 else []), files=FILES)
