"""The stored kernels of the unit tests: each as ptxas compiled it and as nvlink wrote it, in one text file.

A line is an instruction: as it came, and as it was written if that differs; `-` stands for none.
"""
from elf64 import Elf
from leaf_text import instructions, jumps, leaf_kernels

MEMBAR = 0x992
# file -> name of the stored kernel -> kernel; each shows something that the others do not
STORED = {
    "reductions.cu": {"shuffles": "_Z8smallestPKiPiS1_i", "unrolled-loops": "_Z3dotPK6float4S1_Pfi"},
    "scans.cu": {"search": "_Z12merge_sortedPKiS0_Piii", "warp-scan": "_Z9scan_warpPKfPf"},
    "histograms.cu": {"retry-loop": "_Z11hash_insertPKjPjji", "shared-memory": "_Z11count_wordsPKciPi",
                      "active-lanes": "_Z20histogram_aggregatedPKiPii"},
    "stencils.cu": {"neighbours": "_Z4heatPKfPfiif", "while-loop": "_Z10mandelbrotPiiifffi"},
    "matrices.cu": {"guard": "_Z4axpyfPKfPfi"},
    "atomics.cu": {"fence": "_Z7producePiPVi", "fences-in-a-loop": "_Z12grid_barrierPjPii",
                   "lock": "_Z12lock_and_addPiS_", "system-fence": "_Z6ticketPVjPjPi"},
    "textures.cu": {"texture": "_Z14texture_rotateyP6uchar4iif", "surface": "_Z12surface_copyyyii"},
    "loops.cu": {"jump-table": "_Z6choosePKiS0_Pi", "jump-table-and-fences": "_Z18choose_and_publishPKiPiPVi",
                 "local-array": "_Z11local_arrayPKiPii"},
    "warps.cu": {"divergence": "_Z9divergingPKiPi", "coalesced": "_Z9coalescedPKiPiS1_"},
    "tensor_cores.cu": {"matrix-product": "_Z11one_productPKjS0_Pf"},
    "copies.cu": {"copies-in-groups": "_Z12copy_and_sumPKiPii"},
}


def key(instruction):
    """What stays the same in an instruction whatever its schedule and its target are."""
    low, high = instruction
    return low & 0xFF00FFFF, high & 0xFFFFF if low & 0xFFF == MEMBAR else 0


def align(before, after):
    """Pairs of an instruction as it came and as it was written; None where there is none."""
    pairs, at = [], 0
    for instruction in before:
        is_kept = at < len(after) and key(instruction) == key(after[at])
        pairs.append((instruction, after[at] if is_kept else None))
        at += is_kept
    return pairs + [(None, instruction) for instruction in after[at:]]


def word(instruction):
    return "%016x.%016x" % instruction if instruction else "-"


def write_kernel(path, title, tables, pairs):
    lines = ["# " + title]
    lines += ["jump %d: %s" % (place, " ".join(map(str, targets))) for place, targets in tables]
    for old, new in pairs:
        lines.append(word(old) if old == new else "%s %s" % (word(old), word(new)))
    path.write_text("\n".join(lines) + "\n")


def relocated(image, name):
    """The numbers of the instructions of a kernel that relocations change."""
    elf = Elf(image)
    return {entry.offset // 16 for section in elf.sections if section.name == ".rela.text." + name
            for entry in elf.relocations(section)}


def aligned_code(image, name, before, after):
    """As align(), with relocations applied on both sides: the unit tests are not about them."""
    changed = relocated(image, name)
    pairs = align(instructions(before), instructions(after))
    return [((new[0], old[1]), new) if number in changed and new else (old, new)
            for number, (old, new) in enumerate(pairs)]


def store_unit(bench, unit, names, folder, work):
    compiled = bench.compile(unit, work)
    image = (work / compiled).read_bytes()
    linked = bench.link([bench.tools.nvlink], unit, compiled, work)[0]
    before, after = leaf_kernels(image), leaf_kernels(linked)
    for stem, name in names.items():
        title = "%s of %s, %s, -%s" % (name, unit.name, unit.target, unit.mode)
        path = folder / ("%s.%s.%s.txt" % (stem, unit.target, unit.mode))
        write_kernel(path, title, jumps(image, name), aligned_code(image, name, before[name], after[name]))
        print(path.name, len(before[name]) // 16, "instructions")
