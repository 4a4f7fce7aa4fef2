"""Compressed entries: sound ones, and all that can be wrong about their sizes and flags."""
from containers import compression, fatbin, host_object
from input_bench import Case, Instead

FLAGS = {"lz4": fatbin.LZ4, "zstd": fatbin.ZSTD}
COMPRESS = {"lz4": compression.lz4_block, "zstd": compression.zstd_frame}
GOES_ON = Instead("nvlink says that it failed and links the rest, with status 0", 1,
                  r"^culd error   : Uncompress failed\nculd fatal   : elfLink fatbinary error\n$")


def wrong_sizes(cubin, kind):
    """name -> fields of the entry's header."""
    packed = len(COMPRESS[kind](cubin))
    return {
        "plain-size-too-large": {"plain_size": len(cubin) + 1},
        "plain-size-far-too-large": {"plain_size": len(cubin) + 100000},
        "plain-size-too-small": {"plain_size": len(cubin) - 1},
        "plain-size-0": {"plain_size": 0},
        "packed-size-too-large": {"compressed_size": packed + 1},
        "packed-size-too-small": {"compressed_size": packed - 1},
        "packed-size-0": {"compressed_size": 0},
        "packed-size-huge": {"compressed_size": 1 << 31},
    }


def sound(templates, kind):
    cubin = templates.cubin("a")
    packed = fatbin.elf("90", cubin, kind)
    ptx = fatbin.ptx("90", templates.text("a"), kind)
    return {
        "cubin": [packed],
        "ptx": [ptx],
        "ptx-without-its-end": [fatbin.ptx("90", templates.text("a").encode(), kind)],
        "unfit": [fatbin.elf("75", templates.cubin("a", "sm_75"), kind)],
        "damaged-but-unfit": [fatbin.elf("75", cubin, kind, fields={"plain_size": 3}), fatbin.elf("90", cubin)],
        "damaged-but-not-chosen": [fatbin.elf("90", cubin), fatbin.elf("90", cubin, kind, fields={"plain_size": 3})],
    }


def cases(templates):
    cubin, found = templates.cubin("a"), []

    def add(name, entries, instead=None):
        image = fatbin.pack(entries)
        found.append(Case(name + "-in-a-fatbin", {"x.fatbin": image}, ["x.fatbin"], instead=instead))
        found.append(Case(name + "-in-an-object", {"x.o": host_object.make(image)}, ["x.o"], instead=instead))

    for kind in FLAGS:
        for name, entries in sound(templates, kind).items():
            add("%s-%s" % (kind, name), entries)
        for name, fields in wrong_sizes(cubin, kind).items():
            add("%s-%s" % (kind, name), [fatbin.elf("90", cubin, kind, fields=fields)], GOES_ON if kind == "lz4" else None)
        both = fatbin.IS_64BIT | fatbin.LZ4 | fatbin.ZSTD
        add(kind + "-with-both-flags", [fatbin.elf("90", cubin, kind, fields={"flags": both})],
            GOES_ON if kind == "zstd" else None)
        add(kind + "-without-its-flag", [fatbin.elf("90", cubin, kind, fields={"flags": fatbin.IS_64BIT})])
        plain = {"flags": fatbin.IS_64BIT | FLAGS[kind], "compressed_size": len(cubin), "plain_size": len(cubin)}
        add("plain-with-the-flag-of-" + kind, [fatbin.elf("90", cubin, fields=plain)], GOES_ON if kind == "lz4" else None)
    return found
