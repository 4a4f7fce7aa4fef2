"""Kernels of random PTX instructions on all kinds of operands: registers, numbers, parameters, special registers.

A statement is a line of STATEMENTS: the operation, then its operands. {a|b} is one of them. =b32 is a result, b32 a register
with a value, b32? that or a number, #66 a number below 66, @global an address; anything else stands for itself. p is a
predicate. What one statement computes is used by those behind it.
"""
import re

TYPES = ("b16", "b32", "b64", "f32", "f64")
ALTERNATIVES = re.compile(r"\{([^{}]*)\}")
SPECIAL = "{%tid.x|%tid.y|%ntid.x|%ctaid.x|%nctaid.x|%laneid|%warpid|%smid|%clock|%clock_hi|%lanemask_lt|%lanemask_ge|" \
    "%nsmid|%dynamic_smem_size}"
COMPARED = "{eq|ne|lt|le|gt|ge}"
ROUNDED = "{rn|rz|rm|rp}"


def of_integers(width):
    value, kinds = "b%d" % width, "{u%d|s%d}" % (width, width)
    yield from ["{add|sub}.%s =%s, %s, %s?" % (kinds, value, value, value)] * 3
    yield "mul.{lo|hi}.%s =%s, %s, %s?" % (kinds, value, value, value)
    yield from ["mad.{lo|lo|hi}.%s =%s, %s, %s?, %s?" % ((kinds,) + (value,) * 4)] * 2
    yield "sad.%s =%s, %s, %s?, %s?" % ((kinds,) + (value,) * 4)
    yield "{div|rem}.%s =%s, %s, %s?" % (kinds, value, value, value)
    yield "{min|max}.%s =%s, %s, %s?" % (kinds, value, value, value)
    yield "{abs|neg}.s%d =%s, %s" % (width, value, value)
    yield "{and|or|xor}.%s =%s, %s, %s?" % (value, value, value, value)
    yield "{not|cnot}.%s =%s, %s" % (value, value, value)
    yield from ["{shl.b|shr.u|shr.s}%d =%s, %s, {b32|b32?|#%d}" % (width, value, value, width + 2)] * 2
    yield from ["setp.%s.%s =p, %s, %s?" % (COMPARED, kinds, value, value)] * 2
    yield "setp.%s.{and|or|xor}.%s =p, %s, %s?, p" % (COMPARED, kinds, value, value)
    yield "set.%s.u32.%s =b32, %s, %s?" % (COMPARED, kinds, value, value)
    yield "selp.%s =%s, %s?, %s?, p" % (value, value, value, value)


def of_words(width):
    value = "b%d" % width
    yield "{popc|clz}.%s =b32, %s" % (value, value)
    yield "bfind{|.shiftamt}.{u|s}%d =b32, %s" % (width, value)
    yield "brev.%s =%s, %s" % (value, value, value)
    yield "bfe.{u|s}%d =%s, %s, {b32|#66}, {b32|#66}" % (width, value, value)
    yield "bfi.%s =%s, %s, %s?, {b32|#66}, {b32|#66}" % (value, value, value, value)
    carried = "{u|s}%d =%s, %s, %s?" % (width, value, value, value)
    yield "{add|sub}.cc.%s; {addc|subc}.cc.%s; {addc|subc}.%s" % (carried, carried, carried)
    yield "mad.lo.cc.u%d =%s, %s, %s?, %s?; madc.hi.u%d =%s, %s, %s?, %s?" % ((width,) + (value,) * 4 + (width,) + (value,) * 4)


def of_floats(kind, flush):
    yield from ["{add|sub|mul}.%s%s.%s =%s, %s, %s?" % (ROUNDED, flush, kind, kind, kind, kind)] * 2
    yield from ["fma.%s%s.%s =%s, %s, %s?, %s?" % ((ROUNDED, flush) + (kind,) * 5)] * 2
    yield "{min|max}%s.%s =%s, %s, %s?" % (flush, kind, kind, kind, kind)
    yield "{abs|neg|rcp.rn|sqrt.rn}%s.%s =%s, %s" % (flush, kind, kind, kind)
    yield "{div.rn|div.rz}%s.%s =%s, %s, %s?" % (flush, kind, kind, kind, kind)
    yield "copysign.%s =%s, %s, %s?" % (kind, kind, kind, kind)
    yield "setp.{eq|ne|lt|gt|equ|ltu|geu|num|nan}%s.%s =p, %s, %s?" % (flush, kind, kind, kind)
    yield "selp.%s =%s, %s?, %s?, p" % (kind, kind, kind, kind)


def conversions():
    held = {"8": "b16", "16": "b16", "32": "b32", "64": "b64"}
    integers = {sign + size: register for size, register in held.items() for sign in "us"}
    for to, result in integers.items():
        for source, value in integers.items():
            yield "cvt.%s.%s =%s, %s" % (to, source, result, value)
        for kind in ("f32", "f64"):
            yield "cvt.{rni|rzi|rmi|rpi}.%s.%s =%s, %s" % (to, kind, result, kind)
            yield "cvt.%s.%s.%s =%s, %s" % (ROUNDED, kind, to, kind, result)
    yield "cvt.%s.f32.f64 =f32, f64" % ROUNDED
    yield "cvt.f64.f32 =f64, f32"
    yield "cvt.rn.{f16|bf16}.f32 =b16, f32"
    yield "cvt.f32.{f16|bf16} =f32, b16"
    yield "cvt.{rn|rz|rn.relu}.{f16x2|bf16x2}.f32 =b32, f32, f32"


def others():
    for width in ("16", "32"):
        value, wide = "b" + width, "b%d" % (2 * int(width))
        yield "mul.wide.{u%s|s%s} =%s, %s, %s?" % (width, width, wide, value, value)
        yield from ["mad.wide.{u%s|s%s} =%s, %s, %s?, %s?" % (width, width, wide, value, value, wide)] * 2
    yield "mad24.{lo|hi}.{u32|s32} =b32, b32, b32?, b32?"
    yield "dp4a.{u32|s32}.{u32|s32} =b32, b32, b32?, b32?"
    yield "dp2a.{lo|hi}.{u32|s32}.{u32|s32} =b32, b32, b32?, b32?"
    yield "{bmsk.clamp.b32|bmsk.wrap.b32|szext.clamp.u32|szext.wrap.s32} =b32, b32, b32?"
    yield from ["lop3.b32 =b32, b32, b32?, b32?, #256"] * 2
    yield "shf.{l|r}.{clamp|wrap}.b32 =b32, b32, b32?, b32?"
    yield "prmt.b32{|.f4e|.b4e|.rc8|.ecl|.ecr|.rc16} =b32, b32, b32?, b32?"
    yield "slct.{u32|s32}.s32 =b32, b32?, b32?, b32"
    yield "{and|or|xor}.pred =p, p, p"
    yield "{rcp|sqrt|rsqrt|lg2|ex2|sin|cos}.approx{|.ftz}.f32 =f32, f32"
    yield "{add|sub|mul|min|max}.f16 =b16, b16, b16"
    yield "fma.rn.{f16x2|bf16x2} =b32, b32, b32, b32"
    yield "{min|max}{|.NaN}.{f16x2|bf16x2} =b32, b32, b32"
    yield "{vadd|vsub|vmin|vmax}.{u32|s32}.{u32|s32}.s32{|.sat} =b32, b32, b32"
    yield "mov.b32 ={b32|f32}, {b32|f32}"
    yield "mov.b64 ={b64|f64}, {b64|f64}"
    yield "mov.u32 =b32, " + SPECIAL
    yield "mov.u64 =b64, {%clock64|%globaltimer}"
    yield "shfl.sync.{up|down|bfly|idx}.b32 =b32, b32, b32?, 31, -1"
    yield "vote.sync.ballot.b32 =b32, p, -1"
    yield "vote.sync.{any|all|uni}.pred =p, p, -1"
    yield "redux.sync.{add.s32|min.u32|max.s32|and.b32|or.b32|xor.b32} =b32, b32, -1"
    for kind in ("b16", "b32", "b64", "f32", "f64"):
        yield from ["ld.{global|global.nc|global.cg}.%s =%s, @global" % (kind, kind), "ld.shared.%s =%s, @shared" % (kind, kind),
                    "st.{global|global.cs}.%s @global, %s?" % (kind, kind), "st.shared.%s @shared, %s" % (kind, kind)]
    yield "atom.shared.{add.u32|min.s32|max.u32|inc.u32|and.b32|exch.b32} =b32, @shared, b32?"
    yield "atom.global.{add.u64|max.s64|or.b64} =b64, @global, b64?"
    yield "red.global.add.f32 @global, f32?"


STATEMENTS = [text for width in (16, 32, 32, 64) for text in of_integers(width)]
STATEMENTS += [text for width in (32, 64) for text in of_words(width)]
STATEMENTS += [*of_floats("f32", "{|.ftz}"), *of_floats("f64", ""), *others()]
CONVERSIONS = list(conversions())


class Kernel:
    def __init__(self, chance, name):
        self.chance, self.name = chance, name
        self.registers, self.lines = [], []
        self.values = {kind: [] for kind in TYPES + ("p",)}

    def new(self, kind):
        self.registers.append(".reg .%s %%%s_%d;" % ("pred" if kind == "p" else kind, kind, len(self.registers)))
        return self.registers[-1].split()[-1].rstrip(";")

    def number(self, kind):
        chance, width = self.chance, int(kind[1:])
        if kind[0] == "f":
            return ("0f%08X" if width == 32 else "0d%016X") % (chance.choice([
                0, 1 << width - 1, 0x3FF0000000000000 >> 64 - width, chance.getrandbits(width - 2)]))
        value = chance.choice([0, 1, 2, 3, 7, 8, 31, 32, 255, -1, -2, chance.getrandbits(width), 1 << chance.randrange(width),
                               (1 << chance.randrange(1, width)) - 1, chance.randrange(1 << 12), -chance.randrange(1, 1000)])
        return "0x%x" % (value % (1 << width))

    def known(self, kind):
        return self.chance.choice(self.values[kind][-12:] if self.chance.random() < 0.7 else self.values[kind])

    def operand(self, text, results):
        chance = self.chance
        if text[0] == "=":
            results.append((text[1:], self.new(text[1:])))
            return results[-1][1]
        if text[0] == "#":
            return str(chance.randrange(int(text[1:])))
        if text == "@global":
            return "[%s+%d]" % (chance.choice(self.places), chance.choice([0, 16, -16, 4096, chance.randrange(-500, 500) * 16]))
        if text == "@shared":
            return "[%s+%d]" % (chance.choice(["area", self.own_area]), chance.randrange(64) * 16)
        if text.rstrip("?") in self.values:
            return self.number(text[:-1]) if text[-1] == "?" and chance.random() < 0.3 else self.known(text.rstrip("?"))
        return text

    def statement(self, text):
        chance = self.chance
        while ALTERNATIVES.search(text):
            text = ALTERNATIVES.sub(lambda found: chance.choice(found.group(1).split("|")), text, count=1)
        for part in text.split("; "):
            operation, _, operands = part.partition(" ")
            results = []
            written = [self.operand(operand, results) for operand in operands.split(", ") if operand]
            guard = ""
            if ";" not in text and "sync" not in text and chance.random() < 0.08 and all(kind != "p" for kind, _ in results):
                guard = "@%s%s " % (chance.choice(["", "!"]), self.known("p"))
                self.lines += ["mov.%s %s, %s;" % (kind, register, self.known(kind)) for kind, register in results]
            self.lines.append("%s%s %s;" % (guard, operation, ", ".join(written)))
            for kind, register in results:
                self.values[kind].append(register)

    def store(self):
        for kind in TYPES:
            if self.chance.random() < 0.6:
                self.lines.append("st.global.%s [%s+%d], %s;" % (kind, self.chance.choice(self.places),
                                                                 self.chance.randrange(1 << 12) * 16, self.values[kind][-1]))

    def block(self):
        """Statements that are passed by, or gone through several times; what they compute is not known behind them."""
        chance, before = self.chance, {kind: len(values) for kind, values in self.values.items()}
        label, is_loop = "L%d" % len(self.registers), chance.random() < 0.4
        counter, goes_on = self.new("b32"), self.new("p")
        self.lines += ["mov.u32 %s, %s;" % (counter, self.known("b32")), label + ":"] if is_loop else [
            "@%s%s bra %s;" % (chance.choice(["", "!"]), self.known("p"), label)]
        for _ in range(chance.randrange(1, 9)):
            self.statement(self.draw())
        self.store()
        self.lines += ["add.s32 %s, %s, 1;" % (counter, counter), "setp.lt.s32 %s, %s, 100;" % (goes_on, counter),
                       "@%s bra %s;" % (goes_on, label)] if is_loop else [label + ":"]
        for kind, values in self.values.items():
            del values[before[kind]:]

    def draw(self):
        return self.chance.choice(CONVERSIONS if self.chance.random() < 0.08 else STATEMENTS)

    def begin(self):
        """What all that follows begins with; returns the parameters."""
        types = ["u64"] + [self.chance.choice(["u16", "u32", "u64", "f32", "f64"]) for _ in range(6)]
        for number, kind in enumerate(types):
            register = self.new(kind.replace("u", "b"))
            self.lines.append("ld.param.%s %s, [%s_%d];" % (kind, register, self.name, number))
            self.values[kind.replace("u", "b")].append(register)
        base, own, thread, self.own_area = self.values["b64"][0], self.new("b64"), self.new("b32"), self.new("b32")
        self.places = [base, own]
        self.lines += ["mov.u32 %s, %%tid.x;" % thread, "mad.wide.u32 %s, %s, 64, %s;" % (own, thread, base),
                       "mov.u32 %s, area;" % self.own_area, "mad.lo.s32 %s, %s, 16, %s;" % (self.own_area, thread, self.own_area)]
        self.values["b32"].append(thread)
        for kind in TYPES:
            register = self.new(kind)
            self.lines.append("ld.global.%s %s, [%s];" % (kind, register, own))
            self.values[kind].append(register)
        self.values["p"].append(self.new("p"))
        self.lines.append("setp.lt.s32 %s, %s, 7;" % (self.values["p"][0], thread))
        return ", ".join(".param .%s %s_%d" % (kind, self.name, number) for number, kind in enumerate(types))

    def text(self, length):
        parameters = self.begin()
        for _ in range(length):
            if self.chance.random() < 0.04:
                self.block()
            self.statement(self.draw())
            if self.chance.random() < 0.12:
                self.store()
        self.store()
        return ".visible .entry %s(%s)\n{\n%s\nret;\n}\n" % (self.name, parameters, "\n".join(self.registers + self.lines))


def kernels(chance):
    """The text of some, without a header."""
    names = ["kernel_%d" % number for number in range(chance.randrange(1, 4))]
    return ".shared .align 16 .b8 area[2048];\n" + "".join(
        Kernel(chance, name).text(chance.choice([5, 15, 40, 100])) for name in names)
