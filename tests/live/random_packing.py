"""Packs the files of a random program into host objects, fatbins, archives, libraries, cubins and PTX, at random."""
import re
from dataclasses import dataclass, field
from typing import Dict, List

from containers import archive, fatbin, host_object

# What can be linked into a target, beside code for the target itself.
OLDER = {"sm_86": ["sm_80"], "sm_89": ["sm_80", "sm_86"], "sm_90": ["sm_90a"], "sm_90a": ["sm_90"]}
ARCHS = "75 80 86 87 88 89 90 90a 100 100a 103 110 120 121f".split()
FIRST_WITH_PTX_FILES = 90       # nvlink forgets .ptx files for older targets
SILENT = {"references": None}


def can_compile(text, arch):
    wanted = re.search(r"\.target (sm_\w+)", text).group(1)
    return wanted == arch or (wanted[3:].isdigit() and int(wanted[3:]) <= int(arch[3:].rstrip("af")))


@dataclass
class Part:
    """One file of the program."""
    name: str
    text: str                   # PTX
    flags: List[str]
    kernels: List[str]          # those that host code names here
    patterns: bool = False
    local_kernels: List[str] = field(default_factory=list)


@dataclass
class Packed:
    files: Dict[str, object]
    words: List[str]


class Packer:
    def __init__(self, random, target, compile):
        self.random, self.target, self.compile = random, target, compile
        self.number = int(target[3:].rstrip("af"))
        self.files, self.words, self.libraries = {}, [], []

    def chance(self, probability):
        return self.random.random() < probability

    # ---- one file

    def decoy(self):
        """An entry that does not fit, or that is never better than one for the target: its contents are not looked at."""
        junk = bytes(self.random.randrange(256) for _ in range(self.random.randrange(200)))
        arch = self.random.choice(ARCHS)
        number = int(arch.rstrip("af"))
        if self.chance(0.5) and number > self.number:
            return fatbin.elf(arch, junk)
        older = [name for name in ARCHS if name.isdigit() and int(name) < min(self.number, 80)]
        return fatbin.ptx(self.random.choice(older), junk) if older else fatbin.elf("121", junk)

    def entry(self, part):
        compression = self.random.choice(["", "lz4", "zstd"])
        identifier = self.random.choice(["", "", part.name + ".cu"])
        if self.chance(0.25):
            options = " ".join(["--compile-only "] + part.flags) + " "
            arch = self.random.choice([a for a in ARCHS if a.isdigit() and int(a) <= self.number])
            if int(arch) >= 80 or self.number < 80:         # above all decoys
                return fatbin.ptx(arch, part.text, compression, options, identifier=identifier)
        fitting = [arch for arch in OLDER.get(self.target, []) if can_compile(part.text, arch)]
        arch = self.random.choice([self.target] + fitting)
        return fatbin.elf(arch, self.compile(part, arch), compression, identifier=identifier)

    def container(self, part):
        entries = [self.decoy() for _ in range(self.random.randrange(3))] + [self.entry(part)]
        self.random.shuffle(entries)
        return fatbin.pack(entries)

    def pattern(self, name):
        """The name itself, or with a star for some of its end."""
        return name[:self.random.randrange(1, len(name) + 1)] + "*" if self.chance(0.3) else name

    def host_object(self, part, has_references):
        module_id = self.random.choice([None, "_%08x_%s_cu" % (self.random.getrandbits(32), part.name), b"one\0two\0three\0"])
        references = {"KE": [self.pattern(name) for name in part.kernels], "KI": [self.pattern(n) for n in part.local_kernels],
                      "DE": ["some_variable"] if self.chance(0.3) else []}
        return host_object.make(self.container(part), module_id, **(references if has_references else SILENT))

    # ---- files on the command line

    def add(self, name, content):
        self.files[name] = content
        self.words.append(name)

    def add_part(self, part, has_references):
        """A file of its own; where host code says what it uses, an object."""
        form = "o" if has_references else self.random.choice(["o", "o", "obj", "cubin", "fatbin", "ptx"])
        if form == "ptx" and (self.number < FIRST_WITH_PTX_FILES or part.flags):
            form = "cubin"
        if form == "cubin":
            self.add(part.name + self.random.choice([".cubin", ".o"]), self.compile(part, self.target))
        elif form == "fatbin":
            self.add(part.name + ".fatbin", self.container(part))
        elif form == "ptx":
            self.add(part.name + ".ptx", part.text.encode())
        else:
            self.add("%s.%s" % (part.name, form), self.host_object(part, has_references or self.chance(0.5)))

    def add_archive(self, parts, number, has_references):
        members = [(self.member_name(part), self.host_object(part, has_references)) for part in parts]
        if not has_references and self.chance(0.3):
            members.insert(self.random.randrange(len(members) + 1), ("plain.o", host_object.make(None)))
        index = archive.symbol_index(self.random.randrange(4)) if self.chance(0.5) else None
        image = archive.pack(members, index, self.chance(0.2))
        if self.chance(0.4):
            self.files["libs/libpart%d.a" % number] = image
            self.libraries.append("-lpart%d" % number)
            return
        name = "part%d%s" % (number, self.random.choice([".a", ".a", ".lib", ".o"]))
        self.add(name, image)
        if self.chance(0.2):
            self.words.append("./" + name)

    def member_name(self, part):
        return self.random.choice([part.name + ".o", "a_longer_name_of_" + part.name + ".cpp.o", "same.o"])

    def add_bystanders(self, has_references):
        """Files that add nothing to the link."""
        choices = [("empty.o", b""), ("text.o", b"text" * 40), ("nothing.a", archive.MAGIC), ("noextension", b"text" * 40),
                   ("shared.so", host_object.pack(host_object.sections_of(None), type=host_object.ET_DYN)),
                   ("unfit.o", host_object.make(fatbin.pack([fatbin.elf("121", b"junk" * 9)]), "of_unfit"))]
        if not has_references:
            choices += [("plain.o", host_object.make(None)), ("unfit.fatbin", fatbin.pack([fatbin.elf("121", b"junk" * 9)]))]
        for name, content in choices:
            if self.chance(0.1):
                self.add(name, content)

    def pack(self, parts, has_references):
        parts, number = list(parts), 0
        while parts:
            count = self.random.randint(1, 3) if self.chance(0.4) else 0
            if count:
                self.add_archive(parts[:count], number, has_references)
            else:
                self.add_part(parts[0], has_references)
            parts, number = parts[max(count, 1):], number + 1
        self.add_bystanders(has_references)
        self.random.shuffle(self.words)
        if self.libraries:
            self.random.shuffle(self.libraries)
            self.words += ["-Llibs"] + self.libraries
        if not self.words or all(word.startswith("-") for word in self.words):
            self.add("empty.o", b"")
        return Packed(self.files, self.words)
