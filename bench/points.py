"""The links that growth.py counts, each as a function of a number n."""
import collections

# objects(n): (template, own number, number of the next object) of each input.
# n: the link is measured at n and 4n.
Point = collections.namedtuple("Point", "name what objects n options")


def ring(template):
    """Each object refers to the one behind it, the last to the first."""
    return lambda n: [(template, i, (i + 1) % n) for i in range(n)]


def path(template):
    """Each object calls the next; the path has a beginning and an end."""
    def objects(n):
        return ([("path-start", 0, 0)]
                + [(template, i, i + 1) for i in range(n - 2)]
                + [("path-end", n - 2, 0)])
    return objects


def with_library(library, user):
    return lambda n: [(library, 0, 0)] + [(user, i, 0) for i in range(n - 1)]


def single(template):
    """One object; n is the number of functions in it."""
    return lambda n: [(f"{template}-{n}", 0, 0)]


def point(name, what, objects, n, *options):
    return Point(name, what, objects, n, list(options))


POINTS = [
    point("objects", "n objects: 9 functions, 1 kernel", ring("functions"),
          500),
    point("weak", "n objects: the same 40 weak functions, 1 kernel",
          ring("weak"), 200),
    point("pointers", "n objects: 10 address-taken functions, 2 indirect calls",
          ring("pointers"), 200),
    point("statics", "n objects: 80 same-named local functions, 1 kernel",
          ring("local"), 100),
    point("variables", "n objects: 20 variables, 10 of them pointers, 1 kernel",
          ring("variables"), 500),
    point("shared-one", "n objects: 5 functions with shared variables, for "
          "their kernel alone", ring("shared-one"), 500),
    point("shared-library", "10 functions with shared variables, n kernels "
          "that call all", with_library("shared-library", "shared-user"),
          500),
    point("shared-open", "n kernels and n + 1 functions with a shared array "
          "of open size", with_library("open-library", "open-user"), 500),
    point("shared-path", "n functions with a shared variable each on one call "
          "path, n kernels at its start", path("shared-path"), 200),
    point("shared-pointers", "n address-taken functions with a shared variable "
          "each, n kernels with an indirect call", ring("shared-pointers"),
          200),
    point("path", "one call path through n objects, 1 kernel", path("path"),
          500),
    point("path-kernels", "one call path through n objects, a kernel in each",
          path("path-kernels"), 500),
    point("lines", "as objects, compiled with -lineinfo",
          ring("functions-lines"), 500),
    point("lines-debug", "the same, linked with -g", ring("functions-lines"),
          500, "-g"),
    point("lines-weak", "as weak, compiled with -lineinfo", ring("weak-lines"),
          100),
    point("dead", "as objects, one kernel used", ring("functions"), 500,
          "--kernels-used=k_00000"),
    point("reports", "as objects, with -v --dump-callgraph", ring("functions"),
          500, "-v", "--dump-callgraph"),
    point("kernel-addresses", "n objects: a kernel that takes the address of "
          "another", ring("kernel-addresses"), 500),
    point("relocatable", "as objects, with -r", ring("functions"), 500,
          "-r"),
    point("relocatable-undefined", "n objects: 2 calls of functions nobody "
          "defines, with -r", ring("undefined"), 500, "-r"),
    point("diamond-40", "one object: n functions, each calls the two behind "
          "it", single("diamond"), 40),
    point("diamond", "the same with more functions", single("diamond"), 100),
]
