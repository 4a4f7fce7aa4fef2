"""The links that bench/run measures, and the targets they are held to.

The targets are ratios, so that they say something on any machine: "cpu" is how
many times the CPU time of culd nvlink takes, at least; the others are limits
from above.
"""
import collections

# write(inputs, n) makes the input files. `growth`: the CPU time at n and at
# grown(n) is compared. `companion`: another program that is measured beside.
Point = collections.namedtuple(
    "Point", "name what size write options targets grown companion needs")

DATA_SIZE = 4_200_000
LIVE_EVERY = 8  # of the objects in the archive, one is used


def ring(template):
    """Each object refers to the one behind it, the last to the first."""
    return lambda inputs, n: inputs.cubins(
        [(template, i, (i + 1) % n) for i in range(n)])


def path(template):
    """Each object calls the next; the last one calls nothing."""
    return lambda inputs, n: inputs.cubins(
        [(template, i, i + 1) for i in range(n - 1)] + [("path-end", n - 1, 0)])


def pair(inputs, _):
    return inputs.cubins([("path-start", 0, 0), ("path-end", 0, 0)])


def diamond(inputs, n):
    return inputs.cubins([(f"diamond-{n}", 0, 0)])


def archive(inputs, n):
    return inputs.archive([("library", i, 0) for i in range(n)],
                          lambda number: number % LIVE_EVERY == 0)


def data(inputs, n):
    return inputs.data(n, DATA_SIZE)


def ptx(inputs, n):
    return inputs.ptx_objects("functions", n)


def four_times(n):
    return 4 * n


def point(name, what, size, write, *options, grown=None, companion=None,
          needs=None, **targets):
    return Point(name, what, size, write, list(options), targets, grown,
                 companion, needs)


POINTS = [
    point("tiny", "2 small objects", 2, pair, cpu=1.5),
    point("tiny-devrt", "2 small objects, -lcudadevrt", 2, pair, "-lcudadevrt",
          cpu=2, needs="libcudadevrt.a"),
    point("many", "objects: 9 functions, 1 kernel", 1600, ring("functions"),
          cpu=15, wall_to_floor=1.5, memory=0.5, growth=4.4, grown=four_times),
    point("weak", "objects: 40 functions, 40 weak ones that all have, names of "
          "120 characters", 200, ring("long-names"),
          cpu=40, memory=0.5, growth=4.4, grown=four_times),
    point("archive", "compressed host objects in an archive, 1 of 8 used: "
          "20 functions, 10 weak ones that all have", 400, archive,
          cpu=20, cpu_to_companion=1.3, companion="unpack"),
    point("debug", "objects compiled with -G, linked with -g", 400,
          ring("debug"), "-g", cpu=5, memory=0.5),
    point("graph-a", "objects: 10 address-taken functions, 2 indirect calls",
          200, ring("pointers"), cpu=60, growth=4.4, grown=four_times),
    point("graph-b", "functions in one object, each calls the two behind it",
          40, diamond, cpu=500, growth=12, grown=lambda n: 10 * n),
    point("graph-c", "objects on one call path, 10 functions and a kernel each",
          320, path("long-path"), cpu=50),
    point("data", "objects: 4.2 MB of initialised data", 50, data,
          cpu=1.3, memory=1, cpu_to_companion=2, companion="cat"),
    point("static", "objects: 80 dead local functions of the same names", 200,
          ring("dead-local"), cpu=80, growth=4.4, grown=four_times),
    point("relocatable", "as many, with -r", 800, ring("functions"), "-r"),
    point("ptx", "host objects with PTX alone", 16, ptx, needs="ptxas"),
]
