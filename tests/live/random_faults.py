"""Breaks a good program in one way that a linker should notice."""
import copy

from program_model import Call, Function, LoadVariable, Signature, Variable


def public(program, kind):
    """(file, thing) pairs of functions or variables that other files can see."""
    return [(source, thing) for source in program.files for thing in getattr(source, kind)
            if thing.linkage in ("visible", "weak", "common")]


def drop_definition(program, random):
    found = public(program, random.choice(["functions", "variables"]))
    if found:
        name = random.choice(found)[1].name
        for source in program.files:
            source.functions = [f for f in source.functions if f.name != name]
            source.variables = [v for v in source.variables if v.name != name]
            source.aliases = [a for a in source.aliases if a.target != name]


def define_twice(program, random):
    found = public(program, random.choice(["functions", "variables"]))
    if found:
        _, thing = random.choice(found)
        others = [s for s in program.files if all(t.name != thing.name for t in s.functions + s.variables)]
        if others:
            copied = copy.deepcopy(thing)
            target = random.choice(others)
            (target.functions if isinstance(thing, Function) else target.variables).append(copied)


def change_size(program, random):
    found = [(s, v) for s, v in public(program, "variables") if v.space in ("global", "const", "shared")]
    if found:
        _, variable = random.choice(found)
        variable.count = max(1, variable.count + random.choice([-1, 1, 4]))


def change_space(program, random):
    found = [(s, v) for s, v in public(program, "variables") if v.space in ("global", "const", "shared")]
    if found:
        _, variable = random.choice(found)
        variable.space = random.choice([s for s in ("global", "const", "shared") if s != variable.space])
        variable.managed = False
        if variable.linkage == "common":
            variable.linkage = "visible"
        variable.initial = []


def change_signature(program, random):
    found = [(s, f) for s, f in public(program, "functions") if not f.entry]
    if found:
        _, function = random.choice(found)
        function.signature = Signature(function.signature.parameters + ("b32",), function.signature.result)


def kernel_and_function(program, random):
    """A name that is a kernel in one file and a device function in another."""
    if len(program.files) < 2:
        return
    first, second = random.sample(program.files, 2)
    signature = Signature(("b64",))
    first.functions.append(Function(name="both", linkage="visible", entry=True, signature=signature))
    second.functions.append(Function(name="both", linkage=random.choice(["visible", "weak"]), signature=signature))


def variable_and_function(program, random):
    if len(program.files) < 2:
        return
    first, second = random.sample(program.files, 2)
    first.functions.append(Function(name="both", linkage="visible", signature=Signature(("b64",))))
    second.variables.append(Variable(name="both", linkage="visible", element="b32", count=2, align=4))


def too_much(program, random):
    """More shared or constant memory than there is."""
    space = random.choice(["shared", "const"])
    for i, source in enumerate(program.files):
        name = "large%d" % i
        source.variables.append(Variable(name=name, space=space, linkage="local", element="b32", align=4,
                                         count=random.choice([5000, 12300, 9000]), initial=[]))
        for function in source.functions:
            function.statements.append(LoadVariable(variable=name))


def call_unknown(program, random):
    program.signatures["nowhere"] = Signature(("b32",), "b32")
    for source in program.files:
        for function in source.functions:
            if random.random() < 0.3:
                function.statements.append(Call(target="nowhere", guarded=False))


FAULTS = [drop_definition, define_twice, change_size, change_space, change_signature, kernel_and_function,
          variable_and_function, too_much, call_unknown]


def add_fault(program, random):
    random.choice(FAULTS)(program, random)
