"""Every option in every way to write it, right and wrong."""
from .case import LINK, Case, Libnvvm
from .table import ALL, OPTIONS

FILES = {"options.txt": b"", "more.txt": b"-v", "sub/empty": b"", "nvvm/lib64/libnvvm.so": Libnvvm()}


def make(option, name, *words):
    needs = "libnvvm" if "-nvvmpath=nvvm" in option.beside else ""
    command = ["-arch=sm_90", *option.inputs, "-o", "out.cubin", *option.beside, *words]
    return Case("%s-%s" % (option.long, name), command, files=FILES, needs=needs)


def flag_cases(option):
    for form in option.forms():
        yield make(option, "as" + form, form)
        yield make(option, "with-a-value" + form, form + "=1")
    yield make(option, "twice", option.forms()[0], option.forms()[-1])
    yield make(option, "with-nothing", option.forms()[0] + "=")


def value_cases(option):
    for form in option.forms():
        yield make(option, "after-equals" + form, form + "=" + option.good)
        yield make(option, "as-next-word" + form, form, option.good)
        yield make(option, "without-a-value" + form, form)
        yield make(option, "attached" + form, form + option.good)
    first, last = option.forms()[0], option.forms()[-1]
    yield make(option, "other-value", first, option.other)
    yield make(option, "before-an-option", last, "-v")
    yield make(option, "empty", first + "=")
    yield make(option, "empty-word", last, "")
    yield make(option, "repeated", first, option.good, last, option.good)
    yield make(option, "redefined", first, option.good, last, option.other)
    yield make(option, "redefined-twice", first, option.good, last, option.other, first, option.good)


def cases():
    for option in ALL:
        yield from flag_cases(option) if option.kind == "flag" else value_cases(option)
        for form in option.wrong_forms():
            yield make(option, "with-wrong-dashes" + form, form)
            yield make(option, "with-wrong-dashes-and-value" + form, form + "=" + option.good)
        yield make(option, "abbreviated", option.forms()[0][:-1])
        yield make(option, "in-capitals", option.forms()[0].upper())
    for option in OPTIONS:
        if option.kind != "flag":
            yield make(option, "in-a-debug-link", "-g", option.forms()[0], option.good)
    for word in ["-", "--", "---v", "-=", "--=", "-=v", "--=v", "-vg", "-bogus", "--bogus", "-bogus=3", "--bogus=3", "-ofile",
                 "--version-of", "-v-", "-h ", " -v", "-v "]:
        yield Case("odd-word[%s]" % word, LINK + [word])
        yield Case("odd-word-alone[%s]" % word, [word])
