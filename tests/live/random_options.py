"""Chooses the link options of a random program."""
from program_model import DoubleConstants, JumpTable

FLAGS = ["-v", "--dump-callgraph", "--preserve-relocs", "--force-rela", "-g", "-Werror", "-w", "--disable-infos",
         "--suppress-stack-size-warning", "--report-arch", "--allow-undefined-globals", "-m64", "-extrawarn",
         "--reserve-null-pointer", "--disable-smem-reservation=true", "--verbose-tkinfo=true"]


def kernels_used(program, random):
    """Whole names, parts of names and names that do not exist."""
    names = [f.name for source in program.files for f in source.functions if f.entry]
    chosen = [name for name in names if random.random() < 0.5]
    if names and random.random() < 0.2:
        chosen.append(random.choice(names)[:2])
    if not chosen or random.random() < 0.1:
        chosen.append("nothing_of_this_name")
    return "--kernels-used=" + ",".join(dict.fromkeys(chosen))


def variables_used(program, random):
    names = [v.name for source in program.files for v in source.variables if random.random() < 0.5]
    return "--variables-used=" + ",".join(dict.fromkeys(names or ["v0"]))


# Constants that the compiler itself makes of these.
WITH_CONSTANTS = (DoubleConstants, JumpTable)


def has_memory_operands(program):
    """Whether the program uses memory whose place is decided by the link: nvlink's -r output is not usable then."""
    for source in program.files:
        if any(v.space != "global" for v in source.variables) or any(f.shared for f in source.functions):
            return True
        for function in source.functions:
            for statement in function.statements:
                if isinstance(statement, WITH_CONSTANTS) or getattr(statement, "variable", "").startswith("dynamic_"):
                    return True
    return False


def choose_options(program, random, profile):
    if random.random() < profile.partial and not has_memory_operands(program):
        program.partial = random.randint(1, len(program.files))
    if random.random() >= profile.options:
        return
    program.options = [flag for flag in FLAGS if random.random() < 0.15]
    if random.random() < 0.3:
        program.options.append(kernels_used(program, random))
    if random.random() < 0.08:
        program.options.append(variables_used(program, random))
    random.shuffle(program.options)
