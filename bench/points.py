"""The inputs whose link is measured, each as a function of a number n."""
import collections

# objects(n): (template, own number, number of the next object) of each input.
# n: the link is measured at n and 4n. compare: the size at which nvlink is run
# too; quadratic and worse programs get a small one.
Point = collections.namedtuple("Point", "name what objects n compare options")


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


def point(name, what, objects, n, compare, *options):
    return Point(name, what, objects, n, compare, list(options))


POINTS = [
    point("objects", "n objects: 9 functions, 1 kernel", ring("functions"),
          500, 2000),
    point("weak", "n objects: the same 40 weak functions, 1 kernel",
          ring("weak"), 200, 800),
    point("pointers", "n objects: 10 address-taken functions, "
          "2 indirect calls", ring("pointers"), 200, 100),
    point("statics", "n objects: 80 same-named local functions, 1 kernel",
          ring("local"), 100, 400),
    point("variables", "n objects: 20 variables, 10 of them pointers, 1 kernel",
          ring("variables"), 500, 2000),
    point("shared-one", "n objects: 5 functions with shared variables, for "
          "their kernel alone", ring("shared-one"), 500, 500),
    point("shared-library", "10 functions with shared variables, n kernels "
          "that call all", with_library("shared-library", "shared-user"),
          500, 500),
    point("shared-all", "n functions with a shared variable each, n kernels "
          "that reach all", path("shared-path"), 200, 100),
    point("path", "one call path through n objects, 1 kernel", path("path"),
          500, 500),
    point("path-kernels", "one call path through n objects, a kernel in each",
          path("path-kernels"), 500, 100),
    point("lines", "as objects, compiled with -lineinfo",
          ring("functions-lines"), 500, 500),
    point("lines-debug", "the same, linked with -g", ring("functions-lines"),
          500, 500, "-g"),
    point("lines-weak", "as weak, compiled with -lineinfo", ring("weak-lines"),
          100, 200),
    point("dead", "as objects, one kernel used", ring("functions"), 500, 500,
          "--kernels-used=k_00000"),
    point("reports", "as objects, with -v --dump-callgraph", ring("functions"),
          500, 500, "-v", "--dump-callgraph"),
    point("relocatable", "as objects, with -r", ring("functions"), 500, 500,
          "-r"),
    point("relocatable-undefined", "n objects: 2 calls of functions nobody "
          "defines, with -r", ring("undefined"), 500, 500, "-r"),
    point("diamond", "one object: n functions, each calls both of the layer "
          "below", single("diamond"), 100, 40),
]
