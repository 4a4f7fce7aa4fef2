"""Kernels without calls, as PTX: one statement kind per function, put together by a random choice that a seed fixes.

They look like what people write: an index, a guard, loads, arithmetic, loops and branches, stores. Whatever a statement
computes ends up in memory, so that the compiler cannot remove it.
"""
import random

CLASSES = {"r": "b32", "d": "b64", "f": "f32", "g": "f64", "p": "pred", "h": "b16"}


class Kernel:
    """The text of one kernel while it is being made."""

    def __init__(self, seed, target, size, kinds=None):
        self.random = random.Random(seed)
        self.target = target
        self.kinds = kinds
        self.lines = []
        self.used = dict.fromkeys(CLASSES, 0)
        self.labels = 0
        self.budget = size
        self.depth = 0
        self.shared = 0
        self.name = ""

    # --- text -----------------------------------------------------------------------------------------------------
    def register(self, letter):
        self.used[letter] += 1
        return "%%%s%d" % (letter, self.used[letter] - 1)

    def add(self, text, *values):
        self.lines.append("  " + text.format(*values) + ";")

    def new_label(self):
        self.labels += 1
        return "$%s_%d" % (self.name, self.labels)

    def place(self, label):
        self.lines.append(label + ":")

    # --- values ---------------------------------------------------------------------------------------------------
    def word(self):
        """A 32-bit integer value of the kernel so far."""
        return self.random.choice(self.words)

    def real(self):
        return self.random.choice(self.reals)

    def keep_word(self, register):
        self.words.append(register)
        del self.words[:-8]

    def keep_real(self, register):
        self.reals.append(register)
        del self.reals[:-8]

    def pointer(self):
        return self.random.choice(self.pointers)

    def address(self, pointer=None, scale=4):
        """A pointer that depends on a value."""
        wide, result = self.register("d"), self.register("d")
        self.add("mul.wide.u32 {0}, {1}, {2}", wide, self.word(), scale)
        self.add("add.s64 {0}, {1}, {2}", result, pointer or self.pointer(), wide)
        return result

    def shared_address(self):
        masked, result = self.register("r"), self.register("r")
        self.add("and.b32 {0}, {1}, 0xfc", masked, self.word())
        self.add("mov.u32 {0}, tile_{1}", result, self.name)
        self.add("add.u32 {0}, {0}, {1}", result, masked)
        return result

    def condition(self):
        predicate = self.register("p")
        if self.random.random() < 0.6:
            self.add("setp.{0}.s32 {1}, {2}, {3}", self.random.choice(["lt", "gt", "eq", "ne"]), predicate, self.word(),
                     self.random.choice([self.word(), str(self.random.randrange(-9, 99))]))
        else:
            self.add("setp.{0}.f32 {1}, {2}, {3}", self.random.choice(["lt", "gtu", "neu"]), predicate, self.real(), self.real())
        return predicate

    # --- the whole ------------------------------------------------------------------------------------------------
    def body(self):
        while self.budget > 0:
            self.statement()

    def statement(self):
        self.budget -= 1
        kinds = self.kinds or KINDS
        names = [name for name in kinds if name not in DEEP or self.depth < 3]
        weights = [KINDS[name][0] for name in names]
        KINDS[self.random.choices(names, weights)[0]][1](self)

    def text(self, name):
        self.name = name
        prologue(self)
        self.body()
        epilogue(self)
        declared = "".join("  .reg .%s %%%s<%d>;\n" % (kind, letter, max(1, self.used[letter]))
                           for letter, kind in CLASSES.items())
        tile = "  .shared .align 16 .b8 tile_%s[1024];\n" % name if any("tile_" in line for line in self.lines) else ""
        return (".visible .entry %s(.param .u64 in, .param .u64 out, .param .u64 extra, .param .u32 n, .param .f32 alpha,\n"
                "  .param .u64 handle)\n{\n%s%s%s\n}\n" % (name, declared, tile, "\n".join(self.lines)))


def prologue(kernel):
    """Index, guard and pointers, in one of the usual ways."""
    thread, block, width, index = (kernel.register("r") for _ in range(4))
    kernel.words = [thread, index]
    kernel.pointers = [kernel.register("d") for _ in range(2)]
    count, alpha = kernel.register("r"), kernel.register("f")
    kernel.add("mov.u32 {0}, %tid.x", thread)
    style = kernel.random.randrange(5)
    if style < 3:
        kernel.add("mov.u32 {0}, %ctaid.x", block)
        kernel.add("mov.u32 {0}, %ntid.x", width)
        kernel.add("mad.lo.s32 {0}, {1}, {2}, {3}", index, block, width, thread)
    elif style == 3:
        kernel.add("mov.u32 {0}, %ctaid.y", block)
        kernel.add("shl.b32 {0}, {1}, 5", width, block)
        kernel.add("or.b32 {0}, {1}, {2}", index, width, thread)
    else:
        kernel.add("mov.u32 {0}, %laneid", block)
        kernel.add("add.u32 {0}, {1}, {2}", index, block, thread)
    if kernel.random.random() < 0.6:
        predicate = kernel.register("p")
        kernel.add("ld.param.u32 {0}, [n]", count)
        kernel.add("setp.ge.s32 {0}, {1}, {2}", predicate, index, count)
        kernel.add("@{0} bra $done_{1}", predicate, kernel.name)
        kernel.words.append(count)
    kernel.add("ld.param.f32 {0}, [alpha]", alpha)
    kernel.reals = [alpha]
    for pointer, parameter in zip(kernel.pointers, ("in", "extra")):
        kernel.add("ld.param.u64 {0}, [{1}]", pointer, parameter)
        if kernel.random.random() < 0.5:
            kernel.add("cvta.to.global.u64 {0}, {0}", pointer)
    if kernel.random.random() < 0.7:
        kernel.pointers[0] = kernel.address(kernel.pointers[0])


def epilogue(kernel):
    out = kernel.register("d")
    kernel.add("ld.param.u64 {0}, [out]", out)
    for i, word in enumerate(kernel.words[-3:]):
        kernel.add("st.global.u32 [{0}+{1}], {2}", out, 4 * i, word)
    for i, real in enumerate(kernel.reals[-3:]):
        kernel.add("st.global.f32 [{0}+{1}], {2}", out, 64 + 4 * i, real)
    kernel.place("$done_" + kernel.name)
    kernel.add("ret")


# --- memory -----------------------------------------------------------------------------------------------------------
def load(kernel):
    address = kernel.address() if kernel.random.random() < 0.5 else kernel.pointer()
    offset = 4 * kernel.random.randrange(32)
    for i in range(kernel.random.choice([1, 1, 1, 2, 3, 4])):
        space = kernel.random.choice(["global", "global", "global", "global.nc", "volatile.global", "relaxed.gpu.global"])
        if kernel.random.random() < 0.6:
            result = kernel.register("f")
            kernel.add("ld.{0}.f32 {1}, [{2}+{3}]", space, result, address, offset + 4 * i)
            kernel.keep_real(result)
        else:
            kind = kernel.random.choice(["u32", "s8", "u16", "u32"]) if space == "global" else "u32"
            result = kernel.register("r")
            kernel.add("ld.{0}.{1} {2}, [{3}+{4}]", space, kind, result, address, offset + 4 * i)
            kernel.keep_word(result)


def load_vector(kernel):
    address, results = kernel.pointer(), [kernel.register("f") for _ in range(kernel.random.choice([2, 4]))]
    kernel.add("ld.global.v{0}.f32 {{{1}}}, [{2}+{3}]", len(results), ", ".join(results), address,
               16 * kernel.random.randrange(8))
    for result in results:
        kernel.keep_real(result)


def load_predicated(kernel):
    predicate, result = kernel.condition(), kernel.register("f")
    kernel.add("mov.f32 {0}, 0f00000000", result)
    kernel.add("@{0} ld.global.f32 {1}, [{2}+{3}]", predicate, result, kernel.pointer(), 4 * kernel.random.randrange(64))
    kernel.keep_real(result)


def load_constant(kernel):
    result, masked, wide = kernel.register("f"), kernel.register("r"), kernel.register("d")
    kernel.add("and.b32 {0}, {1}, 0xfc", masked, kernel.word())
    kernel.add("cvt.u64.u32 {0}, {1}", wide, masked)
    base = kernel.register("d")
    kernel.add("mov.u64 {0}, table", base)
    kernel.add("add.s64 {0}, {0}, {1}", base, wide)
    kernel.add("ld.const.f32 {0}, [{1}]", result, base)
    kernel.keep_real(result)


def store(kernel):
    address = kernel.address() if kernel.random.random() < 0.4 else kernel.pointer()
    kernel.add("st.global.f32 [{0}+{1}], {2}", address, 4 * kernel.random.randrange(64), kernel.real())
    if kernel.random.random() < 0.3:
        kernel.add("st.global.u32 [{0}+{1}], {2}", address, 256, kernel.word())


def store_vector(kernel):
    kernel.add("st.global.v4.f32 [{0}+{1}], {{{2}}}", kernel.pointer(), 16 * kernel.random.randrange(8),
               ", ".join(kernel.real() for _ in range(4)))


def shared_exchange(kernel):
    kernel.add("st.shared.f32 [{0}], {1}", kernel.shared_address(), kernel.real())
    if kernel.random.random() < 0.7:
        kernel.add("bar.sync 0")
    result = kernel.register("f")
    kernel.add("ld.shared.f32 {0}, [{1}+{2}]", result, kernel.shared_address(), 4 * kernel.random.randrange(16))
    kernel.keep_real(result)
    if kernel.random.random() < 0.3:
        kernel.add("bar.sync 0")


def shared_vector(kernel):
    address, results = kernel.register("r"), [kernel.register("f") for _ in range(4)]
    kernel.add("mov.u32 {0}, tile_{1}", address, kernel.name)
    kernel.add("ld.shared.v4.f32 {{{0}}}, [{1}+{2}]", ", ".join(results), address, 16 * kernel.random.randrange(16))
    for result in results:
        kernel.keep_real(result)


def atomic(kernel):
    form = kernel.random.randrange(6)
    result, address = kernel.register("r"), kernel.address()
    if form == 0:
        kernel.add("atom.global.add.u32 {0}, [{1}], {2}", result, address, kernel.word())
    elif form == 1:
        kernel.add("atom.global.cas.b32 {0}, [{1}], {2}, {3}", result, address, kernel.word(), kernel.word())
    elif form == 2:
        kernel.add("atom.shared.add.u32 {0}, [{1}], {2}", result, kernel.shared_address(), kernel.word())
    elif form == 3:
        kernel.add("red.global.add.f32 [{0}], {1}", address, kernel.real())
        return
    elif form == 4:
        kernel.add("atom.global.exch.b32 {0}, [{1}], {2}", result, address, kernel.word())
    else:
        kernel.add("red.global.max.s32 [{0}], {1}", address, kernel.word())
        return
    kernel.keep_word(result)


def copy_async(kernel):
    """A tile by cp.async: the classic form, with or without groups."""
    shared = kernel.register("r")
    kernel.add("mov.u32 {0}, tile_{1}", shared, kernel.name)
    for i in range(kernel.random.randrange(1, 4)):
        kernel.add("cp.async.{0}.shared.global [{1}+{2}], [{3}+{4}], {5}", *kernel.random.choice(
            [("ca", shared, 16 * i, kernel.pointer(), 16 * i, 4), ("cg", shared, 16 * i, kernel.pointer(), 16 * i, 16)]))
        if kernel.random.random() < 0.5:
            kernel.add("cp.async.commit_group")
    kernel.add(kernel.random.choice(["cp.async.wait_all", "cp.async.commit_group;\n  cp.async.wait_group 1",
                                     "cp.async.commit_group;\n  cp.async.wait_group 0"]))
    kernel.add("bar.sync 0")
    result = kernel.register("f")
    kernel.add("ld.shared.f32 {0}, [{1}]", result, shared)
    kernel.keep_real(result)


def barrier_object(kernel):
    """mbarrier: arrive, then wait in a loop."""
    shared, state, predicate, label = kernel.register("r"), kernel.register("d"), kernel.register("p"), kernel.new_label()
    kernel.add("mov.u32 {0}, tile_{1}", shared, kernel.name)
    kernel.add("mbarrier.init.shared.b64 [{0}+512], 32", shared)
    kernel.add("bar.sync 0")
    kernel.add("mbarrier.arrive.shared.b64 {0}, [{1}+512]", state, shared)
    kernel.place(label)
    kernel.add("mbarrier.try_wait.shared.b64 {0}, [{1}+512], {2}", predicate, shared, state)
    kernel.add("@!{0} bra {1}", predicate, label)


def bulk_copy(kernel):
    shared = kernel.register("r")
    kernel.add("mov.u32 {0}, tile_{1}", shared, kernel.name)
    kernel.add("mbarrier.init.shared.b64 [{0}+520], 1", shared)
    kernel.add("fence.mbarrier_init.release.cluster")
    kernel.add("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [{0}], [{1}], 256, [{0}+520]", shared,
               kernel.pointer())
    kernel.add("mbarrier.arrive.expect_tx.shared.b64 _, [{0}+520], 256", shared)


def texture(kernel):
    handle, results = kernel.register("d"), [kernel.register("f") for _ in range(4)]
    kernel.add("ld.param.u64 {0}, [handle]", handle)
    if kernel.random.random() < 0.6:
        kernel.add("tex.2d.v4.f32.f32 {{{0}}}, [{1}, {{{2}, {3}}}]", ", ".join(results), handle, kernel.real(), kernel.real())
    else:
        kernel.add("tex.1d.v4.f32.s32 {{{0}}}, [{1}, {{{2}}}]", ", ".join(results), handle, kernel.word())
    for result in results[:kernel.random.randrange(1, 5)]:
        kernel.keep_real(result)


def surface(kernel):
    handle, result = kernel.register("d"), kernel.register("r")
    kernel.add("ld.param.u64 {0}, [handle]", handle)
    if kernel.random.random() < 0.5:
        kernel.add("suld.b.2d.b32.trap {{{0}}}, [{1}, {{{2}, {3}}}]", result, handle, kernel.word(), kernel.word())
        kernel.keep_word(result)
    else:
        kernel.add("sust.b.2d.b32.trap [{0}, {{{1}, {2}}}], {{{3}}}", handle, kernel.word(), kernel.word(), kernel.word())


# --- arithmetic -------------------------------------------------------------------------------------------------------
def integer(kernel):
    for _ in range(kernel.random.randrange(1, 5)):
        result = kernel.register("r")
        kernel.add(kernel.random.choice([
            "add.s32 {0}, {1}, {2}", "mul.lo.s32 {0}, {1}, {2}", "xor.b32 {0}, {1}, {2}", "mad.lo.s32 {0}, {1}, {2}, 17",
            "shl.b32 {0}, {1}, 3", "min.s32 {0}, {1}, {2}", "shf.l.wrap.b32 {0}, {1}, {2}, 7", "mul.hi.u32 {0}, {1}, {2}",
            "prmt.b32 {0}, {1}, {2}, 0x3210", "bfe.u32 {0}, {1}, 3, 9", "sub.s32 {0}, {1}, {2}", "lop3.b32 {0}, {1}, {2}, 5, 0x96",
        ]), result, kernel.word(), kernel.word())
        kernel.keep_word(result)


def slow_integer(kernel):
    result = kernel.register("r")
    kernel.add(kernel.random.choice([
        "popc.b32 {0}, {1}", "clz.b32 {0}, {1}", "bfind.u32 {0}, {1}", "brev.b32 {0}, {1}", "rem.u32 {0}, {1}, {2}",
        "div.u32 {0}, {1}, {2}", "div.s32 {0}, {1}, 7", "dp4a.s32.s32 {0}, {1}, {2}, {1}", "sad.s32 {0}, {1}, {2}, {1}",
    ]), result, kernel.word(), kernel.word())
    kernel.keep_word(result)


def real_arithmetic(kernel):
    for _ in range(kernel.random.randrange(1, 6)):
        result = kernel.register("f")
        kernel.add(kernel.random.choice([
            "add.f32 {0}, {1}, {2}", "mul.f32 {0}, {1}, {2}", "fma.rn.f32 {0}, {1}, {2}, {1}", "sub.f32 {0}, {1}, {2}",
            "fma.rn.f32 {0}, {1}, 0f40490FDB, {2}", "max.f32 {0}, {1}, {2}", "fma.rn.ftz.f32 {0}, {1}, {2}, 0f3F800000",
        ]), result, kernel.real(), kernel.real())
        kernel.keep_real(result)


def math_function(kernel):
    result = kernel.register("f")
    kernel.add(kernel.random.choice([
        "sqrt.approx.f32 {0}, {1}", "rcp.approx.ftz.f32 {0}, {1}", "ex2.approx.f32 {0}, {1}", "lg2.approx.ftz.f32 {0}, {1}",
        "sin.approx.f32 {0}, {1}", "cos.approx.f32 {0}, {1}", "rsqrt.approx.f32 {0}, {1}", "tanh.approx.f32 {0}, {1}",
        "div.approx.f32 {0}, {1}, {2}", "div.full.f32 {0}, {1}, {2}",
    ]), result, kernel.real(), kernel.real())
    kernel.keep_real(result)


def conversion(kernel):
    form = kernel.random.randrange(5)
    if form == 0:
        result = kernel.register("f")
        kernel.add("cvt.rn.f32.s32 {0}, {1}", result, kernel.word())
        kernel.keep_real(result)
    elif form == 1:
        result = kernel.register("r")
        kernel.add("cvt.rzi.s32.f32 {0}, {1}", result, kernel.real())
        kernel.keep_word(result)
    elif form == 2:
        half, result = kernel.register("h"), kernel.register("f")
        kernel.add("cvt.rn.f16.f32 {0}, {1}", half, kernel.real())
        kernel.add("cvt.f32.f16 {0}, {1}", result, half)
        kernel.keep_real(result)
    elif form == 3:
        result = kernel.register("r")
        kernel.add("cvt.rn.f16x2.f32 {0}, {1}, {2}", result, kernel.real(), kernel.real())
        kernel.keep_word(result)
    else:
        result = kernel.register("f")
        kernel.add("cvt.rmi.f32.f32 {0}, {1}", result, kernel.real())
        kernel.keep_real(result)


def half_pair(kernel):
    result = kernel.register("r")
    kernel.add(kernel.random.choice(["fma.rn.f16x2 {0}, {1}, {2}, {1}", "add.f16x2 {0}, {1}, {2}", "mul.bf16x2 {0}, {1}, {2}",
                                     "max.f16x2 {0}, {1}, {2}", "ex2.approx.f16x2 {0}, {1}"]), result, kernel.word(),
               kernel.word())
    kernel.keep_word(result)


def double(kernel):
    value, other = kernel.register("g"), kernel.register("g")
    kernel.add("ld.global.f64 {0}, [{1}+{2}]", value, kernel.address(scale=8), 8 * kernel.random.randrange(16))
    kernel.add("cvt.f64.f32 {0}, {1}", other, kernel.real())
    for _ in range(kernel.random.randrange(1, 4)):
        kernel.add(kernel.random.choice(["fma.rn.f64 {0}, {0}, {1}, {0}", "add.f64 {0}, {0}, {1}", "mul.f64 {0}, {1}, {0}"]),
                   value, other)
    result, predicate = kernel.register("f"), kernel.register("p")
    if kernel.random.random() < 0.4:
        kernel.add("setp.gt.f64 {0}, {1}, {2}", predicate, value, other)
        kernel.add("@{0} mov.f64 {1}, {2}", predicate, value, other)
    kernel.add("cvt.rn.f32.f64 {0}, {1}", result, value)
    kernel.keep_real(result)


def long_integer(kernel):
    a, b, result = kernel.register("d"), kernel.register("d"), kernel.register("r")
    kernel.add("ld.global.u64 {0}, [{1}+{2}]", a, kernel.pointer(), 8 * kernel.random.randrange(16))
    kernel.add("mul.wide.u32 {0}, {1}, {2}", b, kernel.word(), kernel.word())
    kernel.add(kernel.random.choice(["add.s64 {0}, {0}, {1}", "mul.lo.s64 {0}, {0}, {1}", "xor.b64 {0}, {0}, {1}"]), a, b)
    kernel.add("shr.u64 {0}, {0}, 13", a)
    kernel.add("cvt.u32.u64 {0}, {1}", result, a)
    kernel.keep_word(result)


def matrix(kernel):
    """A tensor-core product on what registers there are."""
    results = [kernel.register("f") for _ in range(4)]
    words = [kernel.word() for _ in range(6)]
    kernel.add("mma.sync.aligned.m16n8k16.row.col.f32.{0}.{0}.f32 {{{1}}}, {{{2}}}, {{{3}}}, {{{4}}}",
               kernel.random.choice(["f16", "bf16"]), ", ".join(results), ", ".join(words[:4]), ", ".join(words[4:]),
               ", ".join(kernel.real() for _ in range(4)))
    for result in results:
        kernel.keep_real(result)


def load_matrix(kernel):
    results = [kernel.register("r") for _ in range(4)]
    address = kernel.register("r")
    kernel.add("mov.u32 {0}, tile_{1}", address, kernel.name)
    kernel.add("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {{{0}}}, [{1}+{2}]", ", ".join(results), address,
               16 * kernel.random.randrange(16))
    for result in results:
        kernel.keep_word(result)


# --- across the warp --------------------------------------------------------------------------------------------------
def shuffle(kernel):
    result, source = kernel.register("f"), kernel.real()
    step = kernel.random.choice([16, 8, 4, 2, 1])
    kernel.add("shfl.sync.{0}.b32 {1}, {2}, {3}, 31, -1", kernel.random.choice(["bfly", "down", "idx"]), result, source, step)
    total = kernel.register("f")
    kernel.add("add.f32 {0}, {1}, {2}", total, result, source)
    kernel.keep_real(total)


def warp_sum(kernel):
    """The usual reduction: five shuffles."""
    value = kernel.real()
    for step in (16, 8, 4, 2, 1):
        other, total = kernel.register("f"), kernel.register("f")
        kernel.add("shfl.sync.bfly.b32 {0}, {1}, {2}, 31, -1", other, value, step)
        kernel.add("add.f32 {0}, {1}, {2}", total, value, other)
        value = total
    kernel.keep_real(value)


def vote(kernel):
    result, predicate = kernel.register("r"), kernel.condition()
    if kernel.random.random() < 0.6:
        kernel.add("vote.sync.ballot.b32 {0}, {1}, -1", result, predicate)
    elif kernel.random.random() < 0.5:
        kernel.add("match.any.sync.b32 {0}, {1}, -1", result, kernel.word())
    else:
        kernel.add("redux.sync.add.u32 {0}, {1}, -1", result, kernel.word())
    kernel.keep_word(result)


def fence(kernel):
    kernel.add("st.global.u32 [{0}], {1}", kernel.pointer(), kernel.word())
    kernel.add(kernel.random.choice(["membar.gl", "membar.cta", "membar.sys", "fence.acq_rel.gpu", "fence.sc.gpu",
                                     "fence.acq_rel.sys", "fence.acq_rel.cluster", "fence.proxy.async"]))
    if kernel.random.random() < 0.5:
        result = kernel.register("r")
        kernel.add("ld.volatile.global.u32 {0}, [{1}]", result, kernel.pointer())
        kernel.keep_word(result)


def special(kernel):
    result = kernel.register("r")
    kernel.add(kernel.random.choice(["mov.u32 {0}, %clock", "mov.u32 {0}, %smid", "mov.u32 {0}, %laneid", "activemask.b32 {0}",
                                     "mov.u32 {0}, %nctaid.x", "mov.u32 {0}, %lanemask_lt", "mov.u32 {0}, %globaltimer_lo"]),
               result)
    kernel.keep_word(result)


def barrier(kernel):
    form = kernel.random.randrange(4)
    if form == 0:
        result, predicate = kernel.register("r"), kernel.condition()
        kernel.add("bar.red.popc.u32 {0}, 0, {1}", result, predicate)
        kernel.keep_word(result)
    elif form == 1:
        kernel.add("bar.warp.sync -1")
    else:
        kernel.add("bar.sync {0}", kernel.random.choice(["0", "1, 64"]))


# --- control flow -----------------------------------------------------------------------------------------------------
def nested(kernel, most):
    """A few statements one level deeper, out of the same budget. Values made inside are not seen outside."""
    words, reals, pointers = list(kernel.words), list(kernel.reals), list(kernel.pointers)
    kernel.depth += 1
    for _ in range(kernel.random.randrange(1, most)):
        kernel.statement()
    kernel.depth -= 1
    made_word, made_real = kernel.words[-1], kernel.reals[-1]
    kernel.words[:], kernel.reals[:], kernel.pointers[:] = words, reals, pointers
    return made_word, made_real


def branch(kernel):
    predicate, end = kernel.condition(), kernel.new_label()
    result = kernel.register("f")
    kernel.add("mov.f32 {0}, {1}", result, kernel.real())
    kernel.add("@{0} bra {1}", predicate, end)
    kernel.add("mov.f32 {0}, {1}", result, nested(kernel, 6)[1])
    kernel.place(end)
    kernel.keep_real(result)


def branch_both(kernel):
    predicate, other, end = kernel.condition(), kernel.new_label(), kernel.new_label()
    word, real = kernel.register("r"), kernel.register("f")
    kernel.add("@{0} bra {1}", predicate, other)
    for label in (other, end):
        made_word, made_real = nested(kernel, 5)
        kernel.add("mov.b32 {0}, {1}", word, made_word)
        kernel.add("mov.f32 {0}, {1}", real, made_real)
        if label == other:
            kernel.add("bra.uni {0}", end)
        kernel.place(label)
    kernel.keep_word(word)
    kernel.keep_real(real)


def loop(kernel):
    counter, limit, total = kernel.register("r"), kernel.register("r"), kernel.register("f")
    predicate, top, pointer = kernel.register("p"), kernel.new_label(), kernel.register("d")
    kernel.add("mov.u32 {0}, 0", counter)
    kernel.add("mov.f32 {0}, {1}", total, kernel.real())
    kernel.add("mov.u64 {0}, {1}", pointer, kernel.pointer())
    if kernel.random.random() < 0.7:
        kernel.add("ld.param.u32 {0}, [n]", limit)
    else:
        kernel.add("mov.u32 {0}, {1}", limit, kernel.random.choice([4, 16, 100]))
    if kernel.random.random() < 0.5:
        kernel.lines.append('  .pragma "nounroll";')
    kernel.place(top)
    kernel.words.append(counter)
    kernel.pointers.append(pointer)
    made = nested(kernel, 6)[1]
    kernel.pointers.pop()
    kernel.words.pop()
    kernel.add("fma.rn.f32 {0}, {0}, 0f3F000000, {1}", total, made)
    kernel.add("add.s64 {0}, {0}, 4", pointer)
    kernel.add("add.u32 {0}, {0}, 1", counter)
    kernel.add("setp.lt.u32 {0}, {1}, {2}", predicate, counter, limit)
    kernel.add("@{0} bra {1}", predicate, top)
    kernel.keep_real(total)


def spin(kernel):
    """A lock taken by compare-and-swap, and given back."""
    old, predicate, label = kernel.register("r"), kernel.register("p"), kernel.new_label()
    pointer = kernel.pointer()
    kernel.place(label)
    kernel.add("atom.global.cas.b32 {0}, [{1}], 0, 1", old, pointer)
    kernel.add("setp.ne.s32 {0}, {1}, 0", predicate, old)
    kernel.add("@{0} bra {1}", predicate, label)
    nested(kernel, 3)
    kernel.add("st.global.u32 [{0}], 0", pointer)


def early_exit(kernel):
    kernel.add("@{0} exit", kernel.condition())


def switch(kernel):
    count = kernel.random.randrange(3, 9)
    labels, end, targets = [kernel.new_label() for _ in range(count)], kernel.new_label(), kernel.new_label()
    index, result = kernel.register("r"), kernel.register("f")
    kernel.add("and.b32 {0}, {1}, 7", index, kernel.word())
    kernel.add("min.u32 {0}, {0}, {1}", index, count - 1)
    kernel.lines.append("  %s: .branchtargets %s;" % (targets, ", ".join(labels)))
    kernel.add("brx.idx {0}, {1}", index, targets)
    for label in labels:
        kernel.place(label)
        kernel.add("mov.f32 {0}, {1}", result, nested(kernel, 3)[1])
        kernel.add("bra.uni {0}", end)
    kernel.place(end)
    kernel.keep_real(result)


def trap(kernel):
    kernel.add("@{0} trap", kernel.condition())


KINDS = {
    "load": (8, load), "load_vector": (3, load_vector), "load_predicated": (3, load_predicated),
    "load_constant": (2, load_constant), "store": (6, store), "store_vector": (1, store_vector),
    "shared_exchange": (3, shared_exchange), "shared_vector": (1, shared_vector), "atomic": (3, atomic),
    "copy_async": (0.5, copy_async), "barrier_object": (0.3, barrier_object), "bulk_copy": (0.2, bulk_copy),
    "texture": (1, texture), "surface": (0.4, surface), "integer": (6, integer), "slow_integer": (2, slow_integer),
    "real_arithmetic": (8, real_arithmetic), "math_function": (3, math_function), "conversion": (2, conversion),
    "half_pair": (1, half_pair), "double": (0.8, double), "long_integer": (1, long_integer), "matrix": (0.6, matrix),
    "load_matrix": (0.5, load_matrix), "shuffle": (1, shuffle), "warp_sum": (0.6, warp_sum), "vote": (1, vote),
    "fence": (0.5, fence), "special": (1, special), "barrier": (1, barrier), "branch": (3, branch),
    "branch_both": (2, branch_both), "loop": (2.5, loop), "spin": (0.3, spin), "early_exit": (0.5, early_exit),
    "switch": (0.3, switch), "trap": (0.2, trap),
}
DEEP = {"branch", "branch_both", "loop", "switch", "spin"}

# Mixtures that real programs have: what a kernel is about.
THEMES = {
    "mixed": None,
    "streaming": ["load", "load_vector", "store", "real_arithmetic", "loop", "store_vector", "integer"],
    "stencil": ["load", "shared_exchange", "real_arithmetic", "branch", "store", "barrier", "load_predicated"],
    "reduction": ["load", "warp_sum", "shuffle", "shared_exchange", "loop", "branch", "atomic", "vote"],
    "graph": ["load", "atomic", "branch", "branch_both", "loop", "store", "integer", "spin", "early_exit"],
    "graphics": ["texture", "surface", "math_function", "real_arithmetic", "branch", "conversion", "store"],
    "tensor": ["matrix", "load_matrix", "copy_async", "shared_exchange", "loop", "store_vector", "load_vector", "half_pair"],
    "physics": ["double", "math_function", "load", "store", "loop", "real_arithmetic", "branch"],
    "bits": ["integer", "slow_integer", "long_integer", "vote", "load", "store", "switch", "loop", "special"],
    "fences": ["fence", "atomic", "store", "load", "branch", "loop", "spin"],
}


def header(target):
    return (".version 9.0\n.target %s\n.address_size 64\n.const .align 16 .b8 table[512];\n" % target)


def random_kernel(name, seed, target="sm_100"):
    """The text of one kernel; the same seed gives the same kernel."""
    choice = random.Random(seed)
    theme = choice.choice(list(THEMES))
    size = choice.choice([1, 2, 3, 4, 5, 6, 8, 10, 14, 20, 30, 45])
    return Kernel(seed, target, size, THEMES[theme]).text(name)
