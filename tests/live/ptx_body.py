"""Renders the statements of one function as PTX.

Every statement mixes what it computes into the accumulator, and the accumulator leaves the function, so that the
compiler cannot remove a statement.
"""
import program_model as model


class Body:
    """Lines of a function body, with the registers they use."""

    CLASSES = {"r": "b32", "d": "b64", "f": "f32", "g": "f64", "p": "pred", "h": "b16"}

    def __init__(self, function, scope):
        self.function = function
        self.scope = scope
        self.lines = []
        self.used = {letter: 0 for letter in self.CLASSES}
        self.line_number = 10
        self.accumulator = self.register("r")
        self.pointer = self.register("d")

    def register(self, letter):
        self.used[letter] += 1
        return "%%%s%d" % (letter, self.used[letter] - 1)

    def registers(self, letter, count):
        return [self.register(letter) for _ in range(count)]

    def add(self, text, *values):
        self.lines.append("  " + text.format(*values) + ";")

    def label(self, name):
        self.lines.append(name + ":")

    def mix(self, register):
        self.add("xor.b32 {0}, {0}, {1}", self.accumulator, register)
        self.add("mul.lo.s32 {0}, {0}, 0x9E3779B1", self.accumulator)

    def mix_wide(self, register):
        low = self.register("r")
        self.add("cvt.u32.u64 {0}, {1}", low, register)
        self.mix(low)

    def mark_line(self):
        if self.scope.source.debug:
            self.lines.append("  .loc %d %d %d" % (1 + self.line_number % 2, self.line_number, self.line_number % 7))
            self.line_number += 1

    def skip_unless_odd(self):
        """A branch around the next statements that the compiler cannot decide; the label to place after them."""
        predicate, bit, label = self.register("p"), self.register("r"), self.scope.unique_label()
        self.add("and.b32 {0}, {1}, 1", bit, self.accumulator)
        self.add("setp.eq.s32 {0}, {1}, 0", predicate, bit)
        self.add("@{0} bra {1}", predicate, label)
        return label


# --- loading parameters, passing arguments ------------------------------------------------------------------------

def load_parameters(body):
    signature, first_pointer, first_word = body.function.signature, True, True
    for i, kind in enumerate(signature.parameters):
        if kind in ("b64", "u64") and first_pointer:
            body.add("ld.param.b64 {0}, [p{1}]", body.pointer, i)
            first_pointer = False
        elif kind in ("b32", "u32") and first_word:
            body.add("ld.param.b32 {0}, [p{1}]", body.accumulator, i)
            first_word = False
    if first_pointer:
        body.add("mov.u64 {0}, %clock64", body.pointer)
    if first_word:
        body.add("ld.volatile.u32 {0}, [{1}]", body.accumulator, body.pointer)
    for i, kind in enumerate(signature.parameters):
        if kind in ("f32", "f64") or isinstance(kind, tuple):
            word = body.register("r")
            offset = kind[1] // 4 * 4 - 4 if isinstance(kind, tuple) else 0
            body.add("ld.param.b32 {0}, [p{1}+{2}]", word, i, offset)
            body.mix(word)


def store_result(body, signature):
    kind = signature.result
    if kind is None:
        return
    if kind in ("b64", "u64", "f64"):
        wide = body.register("d")
        body.add("cvt.u64.u32 {0}, {1}", wide, body.accumulator)
        body.add("st.param.b64 [result], {0}", wide)
    else:
        body.add("st.param.b32 [result], {0}", body.accumulator)


def value_of(kind, body):
    """A register of the given type made from the accumulator (or the pointer)."""
    if kind in ("b64", "u64"):
        return body.pointer
    if kind == "f32":
        register = body.register("f")
        body.add("cvt.rn.f32.s32 {0}, {1}", register, body.accumulator)
        return register
    if kind == "f64":
        register = body.register("g")
        body.add("cvt.rn.f64.s32 {0}, {1}", register, body.accumulator)
        return register
    return body.accumulator


def call_with(body, signature, target, prototype=None):
    body.lines.append("  {")
    arguments = []
    for i, kind in enumerate(signature.parameters):
        name = "a%d" % i
        if isinstance(kind, tuple):
            body.add(".param .align {0} .b8 {1}[{2}]", kind[0], name, kind[1])
            for offset in range(0, kind[1] - 3, 4):
                body.add("st.param.b32 [{0}+{1}], {2}", name, offset, body.accumulator)
        else:
            body.add(".param .{0} {1}", kind, name)
            body.add("st.param.{0} [{1}], {2}", kind, name, value_of(kind, body))
        arguments.append(name)
    result = signature.result
    if result:
        if isinstance(result, tuple):
            body.add(".param .align {0} .b8 back[{1}]", *result)
        else:
            body.add(".param .{0} back", result)
    if prototype:
        kinds = ", ".join(".param .align %d .b8 _[%d]" % k if isinstance(k, tuple) else ".param .%s _" % k
                          for k in signature.parameters)
        shown = ""
        if result:
            shown = "(.param .align %d .b8 _[%d]) " % result if isinstance(result, tuple) else "(.param .%s _) " % result
        body.lines.append("  %s: .callprototype %s_ (%s);" % (prototype, shown, kinds))
    parts = (["(back)"] if result else []) + [target] + (["(%s)" % ", ".join(arguments)] if arguments else [])
    if prototype:
        if not arguments:
            parts.append("()")
        parts.append(prototype)
    body.add("call {0}", ", ".join(parts))
    if result in ("b64", "u64"):
        wide = body.register("d")
        body.add("ld.param.b64 {0}, [back]", wide)
        body.mix_wide(wide)
    elif result == "f64":
        wide, low = body.register("g"), body.register("r")
        body.add("ld.param.f64 {0}, [back]", wide)
        body.add("cvt.rzi.s32.f64 {0}, {1}", low, wide)
        body.mix(low)
    elif result:
        word = body.register("r")
        body.add("ld.param.b32 {0}, [back]", word)
        body.mix(word)
    body.lines.append("  }")


# --- one function per kind of statement ---------------------------------------------------------------------------

def live_registers(statement, body):
    loaded = body.registers("r", statement.count)
    for i, register in enumerate(loaded):
        body.add("ld.volatile.u32 {0}, [{1}+{2}]", register, body.pointer, 4 * i)
    for register in reversed(loaded):
        body.mix(register)


def double_constants(statement, body):
    value, word = body.register("g"), body.register("r")
    body.add("cvt.rn.f64.s32 {0}, {1}", value, body.accumulator)
    for bits in statement.bits:
        body.add("fma.rn.f64 {0}, {0}, 0d{1:016X}, {0}", value, bits)
    body.add("cvt.rzi.s32.f64 {0}, {1}", word, value)
    body.mix(word)


def jump_table(statement, body):
    labels = [body.scope.unique_label() for _ in range(statement.cases)]
    end, targets, index = body.scope.unique_label(), body.scope.unique_label(), body.register("r")
    body.lines.append("  %s: .branchtargets %s;" % (targets, ", ".join(labels)))
    body.add("rem.u32 {0}, {1}, {2}", index, body.accumulator, statement.cases)
    body.add("brx.idx {0}, {1}", index, targets)
    operations = ["add.s32 {0}, {0}, 77", "mul.lo.s32 {0}, {0}, {0}", "xor.b32 {0}, {0}, 0x5555", "popc.b32 {0}, {0}",
                  "shl.b32 {0}, {0}, 3", "brev.b32 {0}, {0}", "not.b32 {0}, {0}", "clz.b32 {0}, {0}"]
    for i, label in enumerate(labels):
        body.label(label)
        body.add(operations[i % len(operations)], body.accumulator)
        body.add("st.volatile.u32 [{0}+{1}], {2}", body.pointer, 4 * i, body.accumulator)
        body.add("bra {0}", end)
    body.label(end)


def barrier(statement, body):
    if statement.form == "register":
        body.add("bar.sync {0}, 64", body.accumulator)
    elif statement.form == "red":
        word, predicate = body.register("r"), body.register("p")
        body.add("setp.ne.s32 {0}, {1}, 0", predicate, body.accumulator)
        body.add("bar.red.popc.u32 {0}, {1}, 64, {2}", word, statement.number, predicate)
        body.mix(word)
    elif statement.form == "cluster":
        body.add("barrier.cluster.arrive")
        body.add("barrier.cluster.wait")
    else:
        body.add("bar.sync {0}", statement.number)


def special_register(statement, body):
    word = body.register("r")
    body.add("mov.u32 {0}, %{1}", word, statement.name)
    body.mix(word)


def slow_arithmetic(statement, body):
    letter = "g" if statement.operation.endswith("f64") else "f"
    kind = "f64" if letter == "g" else "f32"
    value, word = body.register(letter), body.register("r")
    body.add("cvt.rn.{0}.s32 {1}, {2}", kind, value, body.accumulator)
    operands = 2 if statement.operation.startswith("div") else 1
    body.add("{0} {1}, {2}", statement.operation, value, ", ".join([value] * operands))
    if operands == 2:
        body.add("add.{0} {1}, {1}, {1}", kind, value)
    body.add("cvt.rzi.s32.{0} {1}, {2}", kind, word, value)
    body.mix(word)


def special_instruction(statement, body):
    if statement.name == "mma.sp":
        a, b, c, d = body.registers("r", 4)
        body.add("ld.volatile.u32 {0}, [{1}]", a, body.pointer)
        body.add("ld.volatile.u32 {0}, [{1}+4]", b, body.pointer)
        body.add("mma.sp.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {{{0},{1}}}, {{{2},{3}}}, {{{2},{3}}}, "
                 "{{{2},{3}}}, {2}, 0", c, d, a, b)
        body.mix(c)
    elif statement.name == "mma":
        a, b, c, d = body.registers("r", 4)
        body.add("ld.volatile.u32 {0}, [{1}]", a, body.pointer)
        body.add("ld.volatile.u32 {0}, [{1}+4]", b, body.pointer)
        body.add("mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16 {{{0},{1}}}, {{{2},{3}}}, {{{2}}}, {{{2},{3}}}",
                 c, d, a, b)
        body.mix(c)
    elif statement.name == "redux":
        word = body.register("r")
        body.add("redux.sync.add.s32 {0}, {1}, 0xFFFFFFFF", word, body.accumulator)
        body.mix(word)
    elif statement.name == "vote":
        word, predicate = body.register("r"), body.register("p")
        body.add("setp.ne.s32 {0}, {1}, 0", predicate, body.accumulator)
        body.add("vote.sync.ballot.b32 {0}, {1}, 0xFFFFFFFF", word, predicate)
        body.mix(word)
    elif statement.name == "griddepcontrol":
        body.add("griddepcontrol.wait")
        body.add("griddepcontrol.launch_dependents")
    elif statement.name == "shuffle":
        word = body.register("r")
        body.add("shfl.sync.bfly.b32 {0}, {1}, 1, 31, 0xFFFFFFFF", word, body.accumulator)
        body.mix(word)
    elif statement.name == "exit":
        label = body.skip_unless_odd()
        body.add("exit")
        body.label(label)
    else:
        body.add(statement.name)


def call(statement, body):
    signature = body.scope.signature(statement.target)
    if signature is None or body.scope.is_kernel(statement.target):
        return
    end = body.skip_unless_odd() if statement.guarded else None
    call_with(body, signature, statement.target)
    if end:
        body.label(end)


def indirect_call(statement, body):
    address = body.register("d")
    if statement.function:
        if body.scope.signature(statement.function) is None:
            return
        other, choose = body.register("d"), body.register("p")
        # A choice between two values, or the compiler would turn this into a direct call.
        body.add("ld.volatile.u64 {0}, [{1}+8]", other, body.pointer)
        body.add("mov.u64 {0}, {1}", address, statement.function)
        body.add("setp.ne.s32 {0}, {1}, 0", choose, body.accumulator)
        body.add("selp.b64 {0}, {0}, {1}, {2}", address, other, choose)
    elif statement.table:
        table = body.scope.variable(statement.table)
        if table is None:
            return
        if table.space == "const":
            body.add("ld.const.u64 {0}, [{1}+{2}]", address, table.name, 8 * statement.index)
        else:
            body.add("ld.volatile.global.u64 {0}, [{1}+{2}]", address, table.name, 8 * statement.index)
    else:
        body.add("ld.volatile.u64 {0}, [{1}+16]", address, body.pointer)
    call_with(body, statement.signature, address, body.scope.unique_label())


def store_address(statement, body):
    address = body.register("d")
    if body.scope.signature(statement.symbol) is not None:
        body.add("mov.u64 {0}, {1}", address, statement.symbol)
    else:
        variable = body.scope.variable(statement.symbol)
        if variable is None:
            return
        if variable.space in ("texref", "samplerref", "surfref"):
            return
        offset = "+%d" % statement.offset if statement.offset else ""
        body.add("mov.u64 {0}, {1}{2}", address, variable.name, offset)
        if statement.generic:
            body.add("cvta.{0}.u64 {1}, {1}", variable.space, address)
    body.add("st.volatile.u64 [{0}+24], {1}", body.pointer, address)


def load_variable(statement, body):
    variable = find_data(statement, body)
    if variable is None:
        return
    word = body.register("r")
    volatile = ".volatile" if variable.space != "const" else ""
    size = ELEMENT_BYTES[variable.element]
    load = "u32" if size >= 4 and variable.align >= 4 else "u8"
    if statement.waits:
        predicate, again = body.register("p"), body.scope.unique_label()
        body.label(again)
    body.add("ld{0}.{1}.{2} {3}, [{4}+{5}]", volatile, variable.space, load, word, variable.name, statement.offset)
    if statement.waits:
        body.add("setp.eq.u32 {0}, {1}, 0", predicate, word)
        body.add("@{0} bra {1}", predicate, again)
    body.mix(word)


def store_variable(statement, body):
    variable = find_data(statement, body)
    if variable is None or variable.space == "const":
        return
    size = ELEMENT_BYTES[variable.element]
    store = "u32" if size >= 4 and variable.align >= 4 else "u8"
    body.add("st.volatile.{0}.{1} [{2}+{3}], {4}", variable.space, store, variable.name, statement.offset,
             body.accumulator)


ELEMENT_BYTES = {"b8": 1, "u8": 1, "b16": 2, "b32": 4, "u32": 4, "f32": 4, "b64": 8, "u64": 8, "f64": 8}


def find_data(statement, body):
    for variable in body.function.shared:
        if variable.name == statement.variable:
            return variable
    variable = body.scope.variable(statement.variable)
    if variable is None or variable.space not in ("global", "const", "shared"):
        return None
    return variable


def sample_texture(statement, body):
    texture = body.scope.variable(statement.texture)
    if texture is None:
        return
    coordinate, word = body.register("f"), body.register("r")
    results = body.registers("f", 4)
    body.add("cvt.rn.f32.s32 {0}, {1}", coordinate, body.accumulator)
    operands = statement.texture
    if body.scope.source.independent_textures:
        if statement.sampler is None or body.scope.variable(statement.sampler) is None:
            return
        operands += ", " + statement.sampler
    body.add("tex.2d.v4.f32.f32 {{{0}}}, [{1}, {{{2},{2}}}]", ",".join(results), operands, coordinate)
    body.add("cvt.rzi.s32.f32 {0}, {1}", word, results[0])
    body.mix(word)


def touch_surface(statement, body):
    if body.scope.variable(statement.surface) is None:
        return
    word = body.register("r")
    if statement.store:
        body.add("sust.b.1d.b32.trap [{0}, {{{1}}}], {{{1}}}", statement.surface, body.accumulator)
    else:
        body.add("suld.b.1d.b32.trap {{{0}}}, [{1}, {{{2}}}]", word, statement.surface, body.accumulator)
        body.mix(word)


def system_call(statement, body):
    signature = body.scope.signature(statement.name)
    end = body.skip_unless_odd()
    call_with(body, signature, statement.name)
    body.label(end)


RENDER = {
    model.LiveRegisters: live_registers,
    model.DoubleConstants: double_constants,
    model.JumpTable: jump_table,
    model.Barrier: barrier,
    model.ReadSpecialRegister: special_register,
    model.SlowArithmetic: slow_arithmetic,
    model.SpecialInstruction: special_instruction,
    model.Call: call,
    model.IndirectCall: indirect_call,
    model.StoreAddress: store_address,
    model.LoadVariable: load_variable,
    model.StoreVariable: store_variable,
    model.SampleTexture: sample_texture,
    model.TouchSurface: touch_surface,
    model.SystemCall: system_call,
}


def use_frame(body):
    address, wide, word = body.register("d"), body.register("d"), body.register("r")
    body.add("mov.u64 {0}, frame", address)
    body.add("and.b32 {0}, {1}, 3", word, body.accumulator)
    body.add("cvt.u64.u32 {0}, {1}", wide, word)
    body.add("add.s64 {0}, {0}, {1}", address, wide)
    body.add("st.local.u8 [{0}], {1}", address, body.accumulator)
    body.add("ld.local.u8 {0}, [frame+{1}]", word, body.function.frame - 1)
    body.mix(word)


def render_body(function, scope):
    body = Body(function, scope)
    if scope.source.debug == "full":
        body.label("$L__begin_" + function.name)
    body.mark_line()
    load_parameters(body)
    for statement in function.statements:
        body.mark_line()
        RENDER[type(statement)](statement, body)
    if function.frame:
        use_frame(body)
    body.mark_line()
    body.add("st.volatile.u32 [{0}], {1}", body.pointer, body.accumulator)
    if not function.entry:
        store_result(body, function.signature)
    body.add("exit" if function.noreturn and not function.entry and not function.signature.result else "ret")
    if scope.source.debug == "full":
        body.label("$L__end_" + function.name)
    top = ["{"]
    for letter, kind in body.CLASSES.items():
        if body.used[letter]:
            top.append("  .reg .%s %%%s<%d>;" % (kind, letter, body.used[letter]))
    if function.frame:
        top.append("  .local .align 8 .b8 frame[%d];" % function.frame)
    for variable in function.shared:
        top.append("  .shared .align %d .%s %s[%d];" % (variable.align, variable.element, variable.name, variable.count))
    return "\n".join(top + body.lines + ["}"])
