"""Kernels of random PTX instructions that read and write memory: rows, atomic operations, textures, surfaces, matrices, copies.

The lines are those of random_arithmetic.py, whose instructions stand between these. 4*b32 is a row of values, =4*b32 one of
results, @image:f32:f32 a texture or surface at these coordinates. Each line is for targets from a number on.
"""
import random_arithmetic

SPACES = {"global": "@global", "shared": "@shared"}
GEOMETRIES = {"1d": 1, "2d": 2, "a1d": 1, "a2d": 2, "3d": 3, "cube": 3, "acube": 3}


def row(count, kind):
    return "%d*%s" % (count, kind) if count > 1 else kind


def accesses():
    for space, place in SPACES.items():
        order = "{|.volatile|.relaxed.cta|.relaxed.gpu|.relaxed.sys|.%s.gpu|.%s.sys}"
        for kind, counts in (("b16", (1, 2, 4)), ("b32", (1, 2, 4)), ("b64", (1, 2)), ("f32", (1, 2, 4)), ("f64", (1, 2))):
            for count in counts:
                vector = ".v%d" % count if count > 1 else ""
                yield 75, "ld%s.%s%s.%s =%s, %s" % (order % ("acquire", "acquire"), space, vector, kind, row(count, kind), place)
                yield 75, "st%s.%s%s.%s %s, %s" % (order % ("release", "release"), space, vector, kind, place, row(count, kind))
        yield 75, "ld.%s.{u8|s8} =b32, %s" % (space, place)
        yield 75, "st.%s.u8 %s, b32" % (space, place)
        yield 90, "ld.%s.b128 =b128, %s" % (space, place) if space == "shared" else "ld.relaxed.gpu.global.b128 =b128, " + place
    yield 100, "ld.global{|.L2::evict_last|.L1::no_allocate}.{v8.b32 =8*b32|v4.b64 =4*b64}, @global"
    yield 100, "st.global{|.L2::evict_first}.{v8.b32 @global, 8*b32|v4.b64 @global, 4*b64}"
    yield 75, "ld.global{.nc|.cs|.lu|.cv|.L1::evict_last}.{u32 =b32|v4.f32 =4*f32|v2.u64 =2*b64}, @global"
    yield 75, "prefetch.global.{L1|L2} @global"
    yield 75, "mov.b64 =b64, 2*b32"
    yield 75, "mov.b64 =2*b32, b64"
    yield 90, "mov.b128 =b128, 2*b64"
    yield 90, "mov.b128 =2*b64, b128"


def atomics():
    order, weak = "{|.relaxed.cta|.relaxed.gpu|.acquire.gpu|.release.sys|.acq_rel.gpu}", "{|.relaxed.cta|.release.gpu}"
    for space, place in SPACES.items():
        name, silent = order + "." + space, weak + "." + space
        for width in ("32", "64"):
            kind = "b" + width
            operations = "{add.u%s|min.u%s|max.s%s|min.s%s|and.b%s|or.b%s|xor.b%s}" % ((width,) * 7)
            yield 75, "atom%s.%s =%s, %s, %s?" % (name, operations, kind, place, kind)
            yield 75, "red%s.%s %s, %s?" % (silent, operations, place, kind)
            yield 75, "atom%s.exch.%s =%s, %s, %s" % (name, kind, kind, place, kind)
            yield 75, "atom%s.cas.%s =%s, %s, %s?, %s?" % ((name, kind, kind, place) + (kind,) * 2)
        yield 75, "atom%s.{inc|dec}.u32 =b32, %s, b32" % (name, place)
        yield 75, "{atom%s.add.f32 =f32, %s, f32|red%s.add.f32 %s, f32}" % (name, place, silent, place)
        yield 75, "{atom%s.add.f64 =f64, %s, f64|red%s.add.f64 %s, f64}" % (name, place, silent, place)
        yield 75, "atom%s.cas.b16 =b16, %s, b16, b16" % (name, place)
        yield 75, "{atom%s.add.noftz.f16x2 =b32, %s, b32|red%s.add.noftz.f16x2 %s, b32}" % (name, place, silent, place)
        yield 90, "{atom%s.add.noftz.{f16|bf16} =b16, %s, b16|red%s.add.noftz.bf16x2 %s, b32}" % (name, place, silent, place)
        yield 90, "atom%s.exch.b128 =b128, %s, b128" % (name, place)
        yield 90, "atom%s.cas.b128 =b128, %s, b128, b128" % (name, place)
    rows = [("add.v2.f32", 2, "f32"), ("add.v4.f32", 4, "f32")]
    for count in (2, 4, 8):
        rows += [("{add|min|max}.noftz.v%d.{f16|bf16}" % count, count, "b16")]
        rows += [("{add|min|max}.noftz.v%d.{f16x2|bf16x2}" % count, count, "b32")] * (count < 8)
    for name, count, kind in rows:
        yield 90, "atom%s.global.%s =%s, @global, %s" % (order, name, row(count, kind), row(count, kind))
        yield 90, "red.global.%s @global, %s" % (name, row(count, kind))
    for count in (1, 2, 4):
        vector = ".v%d" % count if count > 1 else ""
        for kind in ("f32", "f16x2", "bf16x2"):
            held = "f32" if kind == "f32" else "b32"
            yield 90, "multimem.ld_reduce.global.add%s.%s =%s, @global" % (vector, kind, row(count, held))
            yield 90, "multimem.red.global.add%s.%s @global, %s" % (vector, kind, row(count, held))
    yield 90, "{multimem.ld_reduce.global.{add.u32|min.s32|and.b32} =b32|multimem.ld_reduce.global.{add.u64|max.s64} =b64}, @global"


def coordinates(geometry, kind):
    parts = ["b32"] * geometry.startswith("a") + [kind] * GEOMETRIES[geometry]
    while len(parts) & len(parts) - 1:
        parts.append(kind)
    return "@image:" + ":".join(parts)


def textures():
    for geometry in GEOMETRIES:
        is_flat = "cube" not in geometry
        size = GEOMETRIES[geometry] if is_flat else 3
        for kind, given in (("s32", "b32"), ("f32", "f32")):
            if given == "b32" and not is_flat:
                continue
            plain = "%s.v4.f32.%s =4*f32, %s" % (geometry, kind, coordinates(geometry, given))
            offsets = [""] + [", %d*b32" % (4 if size == 3 else size)] * is_flat
            for offset in offsets:
                yield 75, "tex.%s%s" % (plain, offset)
                yield 75, "tex.level.%s, %s%s" % (plain, given, offset)
                if given == "f32" and geometry != "3d":
                    yield 75, "tex.%s%s, f32" % (plain, offset)
                    yield 75, "tex.level.%s, f32%s, f32" % (plain, offset)
            if given == "f32":
                slope = "%d*f32" % (4 if size == 3 else size)
                yield 75, "tex.grad.%s, %s, %s" % (plain, slope, slope)
        if geometry in ("2d", "a2d", "cube", "acube"):
            yield 75, "tld4.{r|g|b|a}.%s.v4.f32.f32 =4*f32, %s" % (geometry, coordinates(geometry, "f32"))
            yield 75, "tld4.r.%s.v4.f32.f32 =4*f32, %s, f32" % (geometry, coordinates(geometry, "f32"))
    yield 75, "{txq.{width|height|depth|num_mipmap_levels|array_size}|suq.{width|height|depth}}.b32 =b32, @image"


def surfaces():
    for geometry in ("1d", "2d", "3d", "a1d", "a2d"):
        place, beyond = coordinates(geometry, "b32"), "{trap|clamp|zero}"
        for count in (1, 2, 4):
            for kind in ("b16", "b32") + ("b64",) * (count < 4):
                what = "%s%s.%s.%s" % (geometry, ".v%d" % count if count > 1 else "", kind, beyond)
                yield 75, "suld.b.%s =%s, %s" % (what, row(count, kind), place)
                yield 75, "sust.b.%s %s, %s" % (what, place, row(count, kind))
        if not geometry.startswith("a"):
            yield 75, "sured.b.{add.%s.u32|min.%s.s32}.%s %s, b32" % (geometry, geometry, beyond, place)
            yield 75, "sured.b.{add.%s.u64|min.%s.s64}.%s %s, b64" % (geometry, geometry, beyond, place)


def matrices():
    for count in (1, 2, 4):
        shape = "sync.aligned.m8n8.x%d{|.trans}.shared.b16" % count
        yield 75, "ldmatrix.%s =%d*b32, @shared" % (shape, count)
        yield 90, "stmatrix.%s @shared, %d*b32" % (shape, count)
    yield 75, "movmatrix.sync.aligned.m8n8.trans.b16 =b32, b32"
    products = [(75, "m16n8k8.row.col.f32.f16.f16.f32", 4, 2, 1, "f32"), (75, "m16n8k8.row.col.f16.f16.f16.f16", 2, 2, 1, "b32"),
                (80, "m16n8k16.row.col.f32.{f16.f16|bf16.bf16}.f32", 4, 4, 2, "f32"),
                (80, "m16n8k16.row.col.f16.f16.f16.f16", 2, 4, 2, "b32"), (80, "m16n8k4.row.col.f32.tf32.tf32.f32", 4, 2, 1, "f32"),
                (80, "m16n8k8.row.col.f32.tf32.tf32.f32", 4, 4, 2, "f32"),
                (75, "m8n8k16.row.col{|.satfinite}.s32.{u8|s8}.{u8|s8}.s32", 2, 1, 1, "b32"),
                (80, "m16n8k16.row.col.s32.{u8|s8}.{u8|s8}.s32", 4, 2, 1, "b32"),
                (80, "m16n8k32.row.col{|.satfinite}.s32.{u8|s8}.{u8|s8}.s32", 4, 4, 2, "b32"),
                (89, "m16n8k32.row.col.f32.{e4m3|e5m2}.{e4m3|e5m2}.f32", 4, 4, 2, "f32"),
                (89, "m16n8k16.row.col.f16.{e4m3|e5m2}.{e4m3|e5m2}.f16", 2, 2, 1, "b32")]
    for since, name, sums, first, second, kind in products:
        yield since, "mma.sync.aligned.%s =%d*%s, %d*b32, %d*b32, %d*%s" % (name, sums, kind, first, second, sums, kind)
    yield 80, "mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 =2*f64, 1*f64, 1*f64, 2*f64"


def copies():
    yield 80, "cp.async.ca.shared.global @shared, @global, {4|8|16}"
    yield 80, "cp.async.cg.shared.global @shared, @global, 16, b32"
    yield 80, "cp.async.commit_group"
    yield 80, "cp.async.wait_group {0|1|2}"
    yield 80, "cp.async.mbarrier.arrive{|.noinc}.shared.b64 @shared"
    yield 80, "mbarrier.init.shared.b64 @shared, b32"
    yield 80, "mbarrier.arrive.shared.b64 =b64, @shared"
    yield 90, "mbarrier.arrive{|.expect_tx|_drop}.shared.b64 =b64, @shared, b32"
    yield 80, "mbarrier.test_wait.shared.b64 =p, @shared, b64"
    yield 90, "mbarrier.try_wait.parity.shared.b64 =p, @shared, b32"
    yield 90, "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes @shared, @global, b32, @shared"
    yield 90, "cp.async.bulk.global.shared::cta.bulk_group @global, @shared, b32"
    yield 90, "cp.reduce.async.bulk.global.shared::cta.bulk_group.{add.u32|min.s32|and.b32|add.f32|add.f64} @global, @shared, b32"
    yield 90, "cp.async.bulk.commit_group"
    yield 90, "cp.async.bulk.wait_group{|.read} {0|1}"
    yield 90, "st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.{b32 @shared, b32|v4.b32 @shared, 4*b32}, @shared"
    yield 90, "red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.{add.u32|min.s32} @shared, b32, @shared"
    yield 75, "{bar.sync 0|bar.warp.sync -1|fence.acq_rel.gpu|fence.sc.sys|membar.cta|bar.red.popc.u32 =b32, 0, p}"
    yield 75, "match.any.sync.{b32 =b32, b32|b64 =b32, b64}, -1"


GROUPS = [list(group()) for group in (accesses, atomics, textures, surfaces, matrices, copies)]


class Kernel(random_arithmetic.Kernel):
    """One that is made of a few groups of statements, and of arithmetic."""

    def __init__(self, chance, name, target):
        super().__init__(chance, name)
        number = int("".join(filter(str.isdigit, target)))
        groups = chance.sample(GROUPS, chance.choice([1, 2, 2, 3]))
        self.own = [[text for since, text in group if since <= number] for group in groups]
        self.arithmetic = chance.choice([0, 0.2, 0.5])
        self.has_wide = number >= 90
        self.values["b128"] = []

    def operand(self, text, results):
        count, _, kind = text.partition("*")
        if kind:
            return "{%s}" % ", ".join(self.operand("=" * text.startswith("=") + kind, results)
                                      for _ in range(int(count.lstrip("="))))
        if text.startswith("@image"):
            parts = [self.known(part) for part in text.split(":")[1:]]
            return "[%s, {%s}]" % (self.image, ", ".join(parts)) if parts else "[%s]" % self.image
        return super().operand(text, results)

    def begin(self):
        parameters = super().begin()
        self.image = self.chance.choice(self.values["b64"])
        if self.has_wide:
            self.values["b128"].append(self.new("b128"))
            self.lines.append("mov.b128 %s, {%s, %s};" % (self.values["b128"][0], self.image, self.places[0]))
        return parameters

    def draw(self):
        if self.chance.random() < self.arithmetic:
            return super().draw()
        return self.chance.choice(self.chance.choice(self.own))


def kernels(chance, target):
    """The text of some, without a header."""
    names = ["kernel_%d" % number for number in range(chance.randrange(1, 4))]
    return ".shared .align 16 .b8 area[2048];\n.global .texref no_image;\n" + "".join(
        Kernel(chance, name, target).text(chance.choice([3, 6, 12, 25])) for name in names)
