"""What the suite found, as a table for people."""
from collections import namedtuple

# `problem` is what went wrong, in words, or None; the others are words for the table.
Result = namedtuple("Result", "program variant image output readers sanitizer problem skipped")

INTRODUCTION = """\
# Programs on a GPU

Written by `tests/gpu/run`. Every program is compiled once, linked with nvlink by the installed toolkit's nvcc and with
culd by that of `culd --make-toolkit`, and both are run. A program passes when

- *image*: the linked device images, the generated registration files, messages and exit status are the same, byte for
  byte (with `--identify-as=nvlink`);
- *output*: both print the same and end with the same status;
- *readers*: cuobjdump (`-sass`, `-elf`, `-res-usage`) and nvdisasm (`-c`, `-g`) read culd's cubins without complaint;
- *sanitizer*: compute-sanitizer (memcheck) finds nothing with culd's build where it finds nothing with nvlink's.
"""

COLUMNS = ("program", "features", "variants", "image", "output", "readers", "sanitizer")


def together(words):
    """One word where all variants agree."""
    seen = list(dict.fromkeys(word for word in words if word))
    return ", ".join(seen) or "-"


def row(results):
    program = results[0].program
    ran = [result for result in results if not result.skipped]
    cells = [program.name, program.features, ", ".join(result.variant for result in results)]
    if ran:
        cells += [together(getattr(result, column) for result in ran) for column in COLUMNS[3:]]
    else:
        cells += ["skipped: " + results[0].skipped, "", "", ""]
    return "| %s |" % " | ".join(cell.replace("|", "/") for cell in cells)


def table(results):
    """Lines of Markdown, a row for each program."""
    groups = {}
    for result in results:
        groups.setdefault(result.program.group, {}).setdefault(result.program.name, []).append(result)
    lines = []
    for group, programs in groups.items():
        lines += ["", "## %s (%d)" % (group.capitalize(), len(programs)), "",
                  "| %s |" % " | ".join(COLUMNS), "|%s" % ("---|" * len(COLUMNS))]
        lines += [row(programs[name]) for name in programs]
    return lines


def summary(results):
    failed = sum(1 for result in results if result.problem)
    skipped = sum(1 for result in results if result.skipped)
    return "%d passed, %d failed, %d skipped" % (len(results) - failed - skipped, failed, skipped)


def document(results, machine):
    return "\n".join([INTRODUCTION, machine, "", "Result: %s." % summary(results),
                      *table(results)]) + "\n"
