"""Keeps random programs away from what docs/differences.md lists: there nvlink's result is wrong, or not known well
enough, so that comparing with it says nothing.

The rules here work on whole programs and draw no random numbers: a program that needs no change stays what its seed
makes it.
"""
import copy

from program_model import Address

USED = ("--kernels-used=", "--variables-used=")
FIRST_MARK = 101             # of the constants of the first file


def definitions(source):
    return source.functions + source.variables


def defined_in(program):
    """{public name: [names of the files that define it]}"""
    found = {}
    for source in program.files:
        for thing in definitions(source):
            if thing.linkage in ("visible", "weak", "common"):
                found.setdefault(thing.name, []).append(source.name)
    return found


def forget_addresses_of_possible_losers(program):
    """nvlink drops relocations of data against a definition of the same file that lost to another file's, and
    relocations of constants against a variable whose first definition is replaced.
    """
    files = defined_in(program)
    for source in program.files:
        for variable in source.variables:
            for i, value in enumerate(variable.initial):
                if isinstance(value, Address):
                    places = files.get(value.symbol, [])
                    may_be_dropped = source.name in places or variable.space == "const"
                    if may_be_dropped and len(places) > 1:
                        variable.initial[i] = 0


def selects_kernels(program):
    return any(option.startswith(USED) for option in program.options)


def make_constants_differ(program):
    """nvlink joins inputs with equal constants when kernels are selected, and leaves the symbols where they were."""
    if not selects_kernels(program):
        return
    for number, source in enumerate(program.files):
        for variable in source.variables:
            if variable.space == "const":
                variable.initial[:1] = [FIRST_MARK + number]


def has_equal_local_functions(program):
    seen = set()
    for source in program.files:
        names = {f.name for f in source.functions if f.linkage == "local"}
        if names & seen:
            return True
        seen |= names
    return False


def preserve_no_relocations_of_equal_names(program):
    """nvlink files preserved entries of equally named local functions under the first of them."""
    if has_equal_local_functions(program):
        program.options = [option for option in program.options if option != "--preserve-relocs"]


def avoid(program):
    """Changes the program so that no known difference can show."""
    forget_addresses_of_possible_losers(program)
    make_constants_differ(program)
    preserve_no_relocations_of_equal_names(program)
    return program


def can_show(program):
    """Whether a known difference may show in this program: the shrinker must not walk into one."""
    return repr(avoid(copy.deepcopy(program))) != repr(program)
