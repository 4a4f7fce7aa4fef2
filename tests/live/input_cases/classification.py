"""What a file is, by its extension and its contents: every content under every extension."""
from containers import archive, fatbin, host_object
from input_bench import Case, Instead

EXTENSIONS = ["o", "cubin", "fatbin", "ptx", "a", "so", "obj", "lib", "xyz", "O", "CUBIN", "", "ltoir", "nvvm", "bc"]
TARGETS = {"sm_75": ["o", "cubin", "fatbin", "ptx"], "sm_90": EXTENSIONS}
ELF32 = (b"\x7fELF\1\1\1" + bytes(9) + b"\1\0\3\0\1\0\0\0" + bytes(8) + b"\x34\0\0\0" + bytes(4) +
         b"\x34\0\0\0\0\0\x28\0\1\0\0\0" + bytes(40))


def contents(templates, arch):
    """Name -> bytes; one kernel each, where there is code."""
    cubin, packed = templates.cubin("a", arch), templates.fatbin("a", arch)
    sections = host_object.sections_of(packed)
    whole = [(host_object.WHOLE_PROGRAM, packed), (host_object.SEGMENT, host_object.WRAPPER)]
    return {
        "cubin": cubin,
        "executable-cubin": templates.executable("a", arch),
        "fatbin": packed,
        "fatbin-of-ptx": templates.ptx_fatbin("a", "75"),
        "host-object": host_object.pack(sections),
        "whole-program-object": host_object.pack(whole),
        "plain-object": host_object.make(None),
        "host-program": host_object.pack(sections, type=host_object.ET_EXEC),
        "shared-object": host_object.pack(sections, type=host_object.ET_DYN),
        "32-bit-object": ELF32,
        "ptx": templates.text().encode(),
        "archive": archive.pack([("m.o", host_object.pack(sections))]),
        "thin-archive": archive.pack_thin([("m.o", 1)]),
        "lto-ir": b"\xed\x43\x4e\x7f" + bytes(100),
        "text": b"some other text, long enough to be taken for a file\n" * 3,
        "zeros": bytes(200),
        "empty": b"",
        "short": b"short",
        "55-bytes": b"x" * 55,
        "56-bytes": b"x" * 56,
    }


DROPPED = "below sm_90 nvlink compiles a .ptx file and forgets the result"


def make_case(name, files, target, content):
    """One file of that content, and a kernel that is always there."""
    case = Case("%s-named-%s@%s" % (content, name.partition(".")[2] or "nothing", target), files, [name, "k.cubin"], target)
    if name == "x.ptx" and target < "sm_90" and content in ("ptx", "fatbin", "fatbin-of-ptx"):
        packed = files[name] if content != "ptx" else fatbin.pack([fatbin.ptx("75", files[name] + b"\0")])
        case.instead = Instead(DROPPED, like=Case("", dict(files, **{"x.fatbin": packed}), ["x.fatbin", "k.cubin"], target))
    return case


def cases(templates):
    found = []
    for target, extensions in TARGETS.items():
        others = {"m.o": templates.object("m", target), "k.cubin": templates.cubin("k", target)}
        for content, data in contents(templates, target).items():
            for extension in extensions:
                name = "x." + extension if extension else "x"
                found.append(make_case(name, dict(others, **{name: data}), target, content))
    return found
