"""Renders a SourceFile of a Program as PTX text.

A statement whose symbol is neither defined in the file nor known to the program is left out, so every part of a program
can be deleted and the rest still compiles.
"""
import zlib

from program_model import SYSTEM_CALLS, Address, Function, Program, SourceFile, Variable
from ptx_body import render_body
from ptx_debug import debug_sections

LINKAGE = {"local": "", "visible": ".visible ", "weak": ".weak ", "extern": ".extern ", "common": ".common "}
OPAQUE = ("texref", "samplerref", "surfref")


class Scope:
    """What one file can see: its own definitions, then what the rest of the program declares."""

    def __init__(self, program: Program, source: SourceFile):
        self.program = program
        self.source = source
        self.functions = {f.name: f for f in source.functions}
        self.aliases = {a.name: a for a in source.aliases if a.target in self.functions}
        self.variables = {v.name: v for v in source.variables}
        self.used_functions = set()
        self.used_variables = set()
        self.labels = 0

    def signature(self, name):
        """The signature of a function, noting its use; None when nobody knows the name."""
        found = self._signature(name)
        if found is not None:
            self.used_functions.add(name)
        return found

    def _signature(self, name):
        if name in self.functions:
            return self.functions[name].signature
        if name in self.aliases:
            return self.functions[self.aliases[name].target].signature
        return SYSTEM_CALLS.get(name) or self.program.signatures.get(name)

    def is_kernel(self, name):
        if name in self.functions:
            return self.functions[name].entry
        return name in self.program.kernels

    def variable(self, name):
        found = self.variables.get(name) or self.program.shapes.get(name)
        if found is not None:
            self.used_variables.add(name)
        return found

    def unique_label(self):
        self.labels += 1
        return "L%d" % self.labels


def parameter(kind, name):
    if isinstance(kind, tuple):
        return ".param .align %d .b8 %s[%d]" % (kind[0], name, kind[1])
    return ".param .%s %s" % (kind, name)


def heading(name, signature, entry, prefix="p"):
    """The part of a declaration that function definitions and declarations share."""
    listed = ", ".join(parameter(kind, "%s%d" % (prefix, i)) for i, kind in enumerate(signature.parameters))
    if entry:
        return ".entry %s(%s)" % (name, listed)
    result = "(%s) " % parameter(signature.result, "result") if signature.result else ""
    return ".func %s%s(%s)" % (result, name, listed)


def initial_element(value, scope: Scope, emitted):
    if not isinstance(value, Address):
        return str(value)
    is_function = scope._signature(value.symbol) is not None
    if is_function:
        scope.signature(value.symbol)
        text = value.symbol
    else:
        # PTX wants a variable declared before its address is used.
        if scope.variable(value.symbol) is None or value.symbol in scope.variables and value.symbol not in emitted:
            return "0"
        text = "generic(%s)" % value.symbol if value.generic else value.symbol
    if value.mask:
        return "0x%X(%s)" % (value.mask, text)
    return text + ("+%d" % value.offset if value.offset and not is_function else "")


def variable_text(variable: Variable, scope: Scope, emitted=()):
    if variable.space in OPAQUE:
        return "%s.global .%s %s;" % (LINKAGE[variable.linkage], variable.space, variable.name)
    text = LINKAGE[variable.linkage] + "." + variable.space
    if variable.managed:
        text += " .attribute(.managed)"
    text += " .align %d .%s %s" % (variable.align, variable.element, variable.name)
    text += "[%s]" % (variable.count or "")
    if variable.initial and variable.linkage not in ("extern", "common") and variable.space != "shared":
        shown = variable.initial[:variable.count]
        text += " = {%s}" % ", ".join(initial_element(value, scope, emitted) for value in shown)
    return text + ";"


def extern_variable(shape: Variable):
    opaque = shape.space in OPAQUE
    return Variable(name=shape.name, space=shape.space, linkage="extern", element=shape.element,
                    count=shape.count if not opaque else 1, align=shape.align)


def function_text(function: Function, scope: Scope):
    head = LINKAGE[function.linkage] + heading(function.name, function.signature, function.entry)
    if function.noreturn and not function.entry and not function.signature.result:
        head += " .noreturn"
    if function.entry:
        head += "".join(" " + directive for directive in function.directives)
    return "%s\n%s" % (head, render_body(function, scope))


def declaration(name, scope: Scope):
    if name in SYSTEM_CALLS:
        noreturn = " .noreturn" if name == "__assertfail" else ""
        return ".extern %s%s;" % (heading(name, SYSTEM_CALLS[name], False), noreturn)
    own = scope.functions.get(name)
    if own:
        noreturn = " .noreturn" if own.noreturn and not own.entry and not own.signature.result else ""
        return "%s%s%s;" % (LINKAGE[own.linkage], heading(name, own.signature, own.entry), noreturn)
    if name in scope.aliases:
        target = scope.functions[scope.aliases[name].target]
        linkage = "weak" if target.linkage == "weak" else "visible"
        return "%s%s;" % (LINKAGE[linkage], heading(name, target.signature, False))
    return ".extern %s;" % heading(name, scope._signature(name), scope.is_kernel(name))


def required_version(source: SourceFile, body: str):
    """The oldest PTX version that has everything the file uses, at least the one the file asks for."""
    by_target = {"sm_52": (6, 3), "sm_60": (6, 3), "sm_61": (6, 3), "sm_75": (6, 3), "sm_80": (7, 0), "sm_86": (7, 1),
                 "sm_87": (7, 4), "sm_89": (7, 8), "sm_90": (7, 8), "sm_90a": (8, 0), "sm_88": (9, 0), "sm_100": (8, 6),
                 "sm_103": (8, 8), "sm_110": (9, 0), "sm_120": (8, 7), "sm_121": (8, 8), "sm_100a": (8, 6),
                 "sm_100f": (8, 8), "sm_103a": (8, 8), "sm_103f": (8, 8), "sm_110a": (9, 0), "sm_110f": (9, 0),
                 "sm_120a": (8, 7), "sm_120f": (8, 8), "sm_121a": (8, 8), "sm_121f": (8, 8)}
    by_text = {".noreturn": (6, 4), "0xFF": (7, 1), "mma.sync": (6, 5), "mma.sp": (7, 1), "cluster": (7, 8), "mbarrier": (7, 0),
               "griddepcontrol": (7, 8), "cp.async": (7, 0), ".alias": (6, 3), "$L__": (7, 2),
               ".b8 dwarf": (7, 0), "redux": (7, 0), ".entry": (6, 0)}
    versions = [tuple(int(part) for part in source.version.split(".")), by_target.get(source.target, (7, 8))]
    versions += [version for text, version in by_text.items() if text in body]
    return "%d.%d" % max(versions)


def render_file(program: Program, source: SourceFile):
    scope = Scope(program, source)
    definitions = [function_text(function, scope) for function in source.functions]
    emitted, own_variables = set(), []
    for variable in source.variables:
        own_variables.append(variable_text(variable, scope, emitted))
        emitted.add(variable.name)
    externs = [variable_text(extern_variable(program.shapes[name]), scope)
               for name in sorted(scope.used_variables - set(scope.variables)) if name in program.shapes]
    names = scope.used_functions | set(scope.functions) | set(scope.aliases)
    # An order that looks arbitrary but stays put when other names are deleted.
    names = sorted(names, key=lambda name: (zlib.crc32((source.name + name).encode()), name))
    declarations = [declaration(name, scope) for name in names]
    aliases = [".alias %s, %s;" % (a.name, a.target) for a in scope.aliases.values()]
    body = "\n".join(externs + declarations + own_variables + definitions + aliases)
    body += debug_sections(source, scope)
    modes = ""
    if source.independent_textures:
        modes += ", texmode_independent"
    if source.debug == "full":
        modes += ", debug"
    return ".version %s\n.target %s%s\n.address_size 64\n%s\n" % (
        required_version(source, body), source.target, modes, body)
