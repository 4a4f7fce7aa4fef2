"""nvlink's options, by which cases are made for each of them."""
from dataclasses import dataclass


@dataclass
class Option:
    long: str
    short: str          # "": none
    kind: str           # flag, value, number, boolean, list, choice
    good: str = ""      # a value with which LINK goes well
    other: str = ""     # another such value
    hidden: bool = False
    beside: tuple = ()  # options without which it is refused
    inputs: tuple = ("kernels.cubin", "library.cubin")

    def forms(self):
        """What stands before the value."""
        if self.hidden:
            return ["-" + self.long, "--" + self.long]
        return ["--" + self.long] + (["-" + self.short] if self.short else [])

    def wrong_forms(self):
        if self.hidden or self.long == self.short:
            return []
        return ["-" + self.long] + (["--" + self.short] if self.short else [])


LTO = ("-lto", "-nvvmpath=nvvm")
FLAGS = [
    ("debug", "g"), ("disable-infos", "disable-infos"), ("disable-warnings", "w"), ("dump-callgraph", "dump-callgraph"),
    ("dump-callgraph-no-demangle", "dump-callgraph-no-demangle"), ("extra-warnings", "extrawarn"),
    ("ignore-host-info", "ignore-host-info"), ("keep-system-libraries", "keep-system-libraries"),
    ("preserve-relocs", "preserve-relocs"), ("report-arch", "report-arch"),
    ("suppress-arch-warning", "suppress-arch-warning"), ("suppress-stack-size-warning", "suppress-stack-size-warning"),
    ("use-host-info", "use-host-info"), ("verbose", "v"), ("warning-as-error", "Werror"),
]
OPTIONS = [Option(long, short, "flag") for long, short in FLAGS] + [
    # nvlink's -r output is wrong where there is shared memory.
    Option("relocatable-link", "r", "flag", inputs=("recursive.cubin",)),
    Option("suppress-debug-info", "suppress-debug-info", "flag", beside=("-g",)),
    Option("link-time-opt", "lto", "flag", beside=("-nvvmpath=nvvm",)),
    Option("dlto", "dlto", "flag", beside=("-nvvmpath=nvvm",)),
    Option("emit-ptx", "emit-ptx", "flag", beside=LTO),
    Option("arch", "arch", "choice", "sm_90", "sm_90a"),
    Option("cpu-arch", "cpu-arch", "choice", "X86_64", "AARCH64"),
    Option("device-stack-protector", "device-stack-protector", "boolean", "true", "false"),
    Option("kernels-used", "kernels-used", "list", "first", "second"),
    Option("variables-used", "variables-used", "list", "table", "x"),
    Option("library", "l", "list", "nothing", "none"),
    Option("library-path", "L", "list", "sub", "."),
    Option("machine", "m", "number", "64", "0x40"),
    Option("maxrregcount", "maxrregcount", "number", "32", "64"),
    Option("nvvmpath", "nvvmpath", "value", "here", "there"),
    Option("Ofast-compile", "Ofc", "value", "min", "max", beside=LTO),
    Option("options-file", "optf", "list", "options.txt", "more.txt"),
    Option("output-file", "o", "value", "out.cubin", "other.cubin"),
    Option("register-link-binaries", "", "value", "reg.c", "reg2.c"),
    Option("split-compile", "split-compile", "number", "2", "3"),
    Option("split-compile-extended", "split-compile-extended", "number", "2", "3"),
    Option("time", "time", "value", "time.csv", "time2.csv"),
    Option("Xnvvm", "Xnvvm", "list", "-a", "-b"),
    Option("Xptxas", "Xptxas", "list", "-a", "-b"),
]
REFUSED = [     # no value makes a link with these go well
    Option("uidx-file", "uidx", "value", "kernels.cubin", "library.cubin"),
    Option("gen-host-linker-script", "ghls", "choice", "lcs-aug", "lcs-abs"),
]
TEXTS = [Option("help", "h", "flag"), Option("version", "V", "flag")]
HIDDEN = [
    Option("allow-undefined-globals", "", "flag", hidden=True),
    Option("cuda-api-version", "", "value", "13.0", "13.1", hidden=True),
    Option("disable-smem-reservation", "", "boolean", "true", "false", hidden=True),
    Option("force-rela", "", "flag", hidden=True),
    Option("host-ccbin", "", "value", "gcc", "clang", hidden=True),
    Option("reserve-null-pointer", "", "flag", hidden=True),
    Option("shared", "", "flag", hidden=True),
    Option("syscall-const-offset", "", "number", "1", "2", hidden=True),
    Option("tool-name", "", "value", "nvlink", "another", hidden=True),
    Option("uumn", "", "flag", hidden=True),
    Option("verbose-tkinfo", "", "boolean", "true", "false", hidden=True),
]
# culd's own; nvlink knows none of them.
ADDITIONS = ["cuda", "dependency-file", "identify-as", "make-toolkit", "ptxas-path", "stats", "threads", "time-trace",
             "trust-inputs"]
ALL = OPTIONS + REFUSED + HIDDEN
