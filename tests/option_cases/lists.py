"""How the values of list options are taken apart."""
from .case import options

LISTS = ["a", "a,b", "a,,b", ",a,", ",,", " ", "a b", " a , b ", "\ta\t,b", "a\n,b", '"a,b"', 'a"b,c"d', '"a" ,b', '"a","b"', '" a "', '""',
         'a""b', '"a', 'a"', '"a","', "'a,b'", "a\\,b", "\\,", "a\\", "\\a", '\\"a', '"a\\"b"', '"a\\",b"', '"\\\\"', 'x\\"y\\"',
         'x\\"y"', 'x\\"y,z",w', '"a\\"', 'a"b\\"c"d', '"\\"', "=a", "a=b", "$HOME", "%s", "-v", "--"]


def cases():
    for text in LISTS:
        yield options("Xnvvm[%s]" % text, "-Xnvvm", text)
        yield options("attached[%s]" % text, "-l" + text)
        # The message names the first item, so that it shows where an item ends.
        if "\n" not in text:
            yield options("options-file[%s]" % text, "-optf", text)
    yield options("appended", "-Xnvvm=a", "-Xptxas=c", "-Xnvvm=b", "-Xnvvm", "d,e")
    yield options("nothing-appended", "-Xnvvm=a", "-Xnvvm=", "-Xnvvm=b")
    yield options("nothing-but-nothing", "-Xnvvm=", "-Xptxas=,", "-kernels-used=,", "-l", "", "-L", " ")
