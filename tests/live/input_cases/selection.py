"""Which entry of a fatbin is linked: single entries for all targets, and choices among several."""
import random

from containers import fatbin
from input_bench import Case

ARCHS = ("75 80 86 87 88 89 90 90a 100 100a 100f 103 103a 103f 110 110a 110f 120 120a 120f 121 121a 121f").split()
TARGETS = ARCHS
VIRTUAL_TARGETS = ARCHS[:8]       # of longer names nvlink says that they exceed its buffer
# Numbers of earlier releases and of none, and suffixes with which a number does not exist.
OTHER_ARCHS = "10 14 21 30 35 52 62 69 70 71 72 85 85a 89a 90f 99 101 101a 101f 104 109f".split()
LETTERS = "abcdefghijklmnopqrstuvwxyz"
CHOICES = 50               # for each target
SASS = "sass"              # code whose entry has no block of records


def entry(templates, kind, arch, target, letter):
    """Code that the target accepts, whatever its entry says it is for."""
    if kind == SASS:
        return fatbin.Entry(fatbin.ELF, arch, templates.cubin(letter, "sm_" + target))
    if kind == fatbin.ELF:
        return fatbin.elf(arch, templates.cubin(letter, "sm_" + target))
    return fatbin.ptx(arch, templates.text(letter))


def row(templates, kind, target):
    """A file for every architecture: those that do not fit are named in warnings."""
    files = {"%s.fatbin" % arch: fatbin.pack([entry(templates, kind, arch, target, letter)])
             for arch, letter in zip(ARCHS, LETTERS)}
    return Case("%s-for-sm_%s" % ("elf" if kind == fatbin.ELF else "ptx", target), files, list(files), "sm_" + target)


def sass_row(templates, target):
    """The same without the block that entries of code with mercury have: they count as SASS alone."""
    files = {"%s.fatbin" % arch: fatbin.pack([fatbin.Entry(fatbin.ELF, arch, templates.cubin(letter, "sm_" + target))])
             for arch, letter in zip(ARCHS, LETTERS)}
    return Case("sass-for-sm_" + target, files, list(files), "sm_" + target)


def unlike_row(templates, target):
    """The block says otherwise than the flags whether the code is for one target alone."""
    files = {}
    for arch, letter in zip(ARCHS, LETTERS):
        number, suffix = fatbin.split_arch(arch)
        if number >= fatbin.FIRST_WITH_COMPAT:
            block = fatbin.compat_block("%d%s" % (number, "" if suffix == "a" else "a"))
            image = templates.cubin(letter, "sm_" + target)
            files["%s.fatbin" % arch] = fatbin.pack([fatbin.elf(arch, image, options=block)])
    return Case("suffix-unlike-the-block-for-sm_" + target, files, list(files), "sm_" + target)


def virtual_row(templates, target):
    case = row(templates, fatbin.PTX, target)
    return Case("ptx-for-compute_" + target, case.files, case.arguments, "compute_" + target, output=False)


def other_row(templates, target):
    files = {"%s.fatbin" % arch: fatbin.pack([entry(templates, fatbin.PTX, arch, target, letter)])
             for arch, letter in zip(OTHER_ARCHS, LETTERS)}
    return Case("ptx-of-other-releases-for-sm_" + target, files, list(files), "sm_" + target)


def choice(templates, source, target, kinds):
    """Mostly architectures near the target, so that several fit."""
    place = ARCHS.index(target)
    near = ARCHS[max(place - 4, 0):place + 2]
    picked = [(source.choice(kinds), source.choice(near if source.random() < .9 else ARCHS))
              for _ in range(source.randint(2, 5))]
    entries = [entry(templates, kind, arch, target, letter) for (kind, arch), letter in zip(picked, LETTERS)]
    return fatbin.pack(entries)


def choices(templates, target, name, kinds):
    """Many choices in one link: each file's kernels have a letter of their own."""
    source = random.Random(target)
    found = []
    for number in range(CHOICES // 10):
        files = {}
        for part in range(10):
            image = choice(templates, source, target, kinds)
            for letter in LETTERS[:5]:
                image = image.replace(b"kernel_" + letter.encode(), b"kerne%d_" % part + letter.encode())
            files["x%d.fatbin" % part] = image
        found.append(Case("%s-%d-for-sm_%s" % (name, number, target), files, list(files), "sm_" + target))
    return found


def cases(templates):
    found = []
    for target in TARGETS:
        found += [row(templates, fatbin.ELF, target), row(templates, fatbin.PTX, target),
                  other_row(templates, target)]
        if fatbin.split_arch(target)[0] >= fatbin.FIRST_WITH_COMPAT:
            found += [sass_row(templates, target), unlike_row(templates, target)]
            found += choices(templates, target, "choice-with-sass", [fatbin.ELF, SASS, fatbin.PTX])
        found += [virtual_row(templates, target)] if target in VIRTUAL_TARGETS else []
        found += choices(templates, target, "choice", [fatbin.ELF, fatbin.PTX])
    return found
