"""Files of options."""
from .case import LINK, Case

TEXTS = ["", " \n\t\r\n ", "-v", "-v\n", "-v\r\n-w", "-nvvmpath a", "-nvvmpath=a", "-nvvmpath \"a b\"", "-nvvmpath a\\ b", "-nvvmpath a\"b c\"d",
         "-nvvmpath \"a\\\"b\"", "-nvvmpath a\\\"b", "-nvvmpath \\\"a b\\\"", "-nvvmpath \\\"a\\\"", "-nvvmpath \\\\\"a b\\\\\"",
         "-nvvmpath \"a b\\\\\"", "-nvvmpath \"a\\\\\\\"b\"", "-nvvmpath \"a\\\\\" b\"", "-nvvmpath \"\"", "-nvvmpath \"\" x", "\"-nvvmpath\" a",
         "-nvvmpath a\\nb", "-nvvmpath a\\\nb", "-nvvmpath \"a\nb\"", "-nvvmpath 'a b'", "-nvvmpath \"a", "-nvvmpath a\"", "-nvvmpath a\\",
         "-nvvmpath \"a\\", "-nvvmpath a\x0b-v", "-nvvmpath a\x0c-v", "-nvvmpath a,b", "-nvvmpath $HOME", "-nvvmpath `x`",
         "-Xnvvm \"a,b\"", "-Xnvvm \"\\\"a,b\\\"\"", "-Xnvvm \\\"a,b\\\"", "-Xnvvm \\\"a", "-Xnvvm a\\,b", "-Xnvvm a\\\\,b",
         "-Xnvvm \"a\\\\\\\"b\\\",c\"", "\\-v", "\"-v\"", "\\\"-v\\\"", "-v\"\"", "\"\"", "# x", "// x", "-v # -w", "'", "-v\\", "\\",
         "-v\0-w", "-v\0 -w", "-nvvmpath a\0b -v", "-nvvmpath", "-arch", "-Ofc", "-bogus", "none.cubin", "library.cubin", "-o other.cubin",
         "-optf second.txt", "-optf second.txt -v", "-optf none.txt", "-optf second.txt,second.txt", "-optf", "-optf=", "-optf here.txt",
         "\ufeff-v", "-nvvmpath \u00e9"]


def chain(length):
    files = {"f%d.txt" % i: b"-optf f%d.txt" % (i + 1) for i in range(1, length)}
    return dict(files, **{"f%d.txt" % length: b"-v"})


def cases():
    for number, text in enumerate(TEXTS):
        files = {"here.txt": text.encode(), "second.txt": b"-Werror"}
        yield Case("text-%d" % number, LINK + ["-optf", "here.txt", "-w"], files=files)
    for text in ("-arch", "-nvvmpath", "-arch sm_90", ""):
        files = {"outer.txt": b"-optf inner.txt sm_90", "inner.txt": text.encode()}
        yield Case("nested[%s]" % text, LINK[1:] + ["-optf=outer.txt"], files=files)
    for length in (1, 14, 15, 16, 40):
        yield Case("chain-of-%d" % length, LINK + ["-optf", "f1.txt"], files=chain(length))
    files = {"v.txt": b"-v", "w.txt": b"-w", "objects.txt": b"kernels.cubin library.cubin", "folder/sub.txt": b"-optf v.txt"}
    yield Case("many-times", LINK + ["-optf", "v.txt"] * 40, files=files)
    yield Case("many-in-a-list", LINK + ["-optf", ",".join(["v.txt"] * 40)], files=files)
    yield Case("two-options", LINK + ["-optf=v.txt", "--options-file", "w.txt"], files=files)
    yield Case("paths-are-from-the-working-folder", LINK + ["-optf", "folder/sub.txt"], files=files)
    yield Case("missing", LINK + ["-optf", "none.txt"], files=files)
    yield Case("missing-behind-a-good-one", LINK + ["-optf", "v.txt,none.txt"], files=files)
    yield Case("no-device", LINK + ["-optf", "/dev/null"], files=files)
    yield Case("inputs-keep-their-place", ["-arch=sm_90", "recursive.cubin", "-optf", "objects.txt", "variable.cubin",
                                           "-allow-undefined-globals", "-o", "out.cubin"], files=files)
    yield Case("value-of-an-option-before", LINK + ["-nvvmpath", "-optf", "v.txt"], files=files)
    yield Case("recorded-by-its-name", LINK + ["-g", "-optf", "v.txt"], files=files)
    yield Case("redefinition", LINK + ["-optf", "o.txt"], files={"o.txt": b"-o other.cubin"})
    yield Case("waiting-option-at-the-end", LINK + ["-optf", "v.txt", "-nvvmpath"], files=files)
