"""One small kernel for each kind of instruction: what it needs is loaded, what it gives is stored.

In the table, %a0..%a7 are words, %l0.. long words, %f0.. floats, %g0.. doubles, %h0.. halves and %p0.. predicates that
are inputs; the same letters in capitals are outputs. `tile` is shared memory whose address is in %tile, `in` and `table`
are the kernel's pointers in %in and %out.
"""
import re



# input letter -> register type, how it is loaded, how it is stored
LETTERS = {"a": ("b32", "ld.global.b32", "st.global.b32"), "l": ("b64", "ld.global.b64", "st.global.b64"),
           "f": ("f32", "ld.global.f32", "st.global.f32"), "g": ("f64", "ld.global.f64", "st.global.f64"),
           "h": ("b16", "ld.global.b16", "st.global.b16")}

INSTRUCTIONS = """
add.s32 %A0, %a0, %a1
mad.lo.s32 %A0, %a0, %a1, %a2
mul.hi.s32 %A0, %a0, %a1
mul.wide.s32 %L0, %a0, %a1
mad.wide.u32 %L0, %a0, %a1, %l0
mul.lo.s64 %L0, %l0, %l1
mul.hi.u64 %L0, %l0, %l1
add.s64 %L0, %l0, %l1
min.s64 %L0, %l0, %l1
shl.b64 %L0, %l0, %a0
shr.s64 %L0, %l0, %a0
and.b64 %L0, %l0, %l1
popc.b32 %A0, %a0
popc.b64 %A0, %l0
clz.b64 %A0, %l0
bfind.s32 %A0, %a0
brev.b64 %L0, %l0
bfe.s32 %A0, %a0, %a1, %a2
bfi.b32 %A0, %a0, %a1, %a2, %a3
bmsk.clamp.b32 %A0, %a0, %a1
szext.wrap.s32 %A0, %a0, %a1
prmt.b32 %A0, %a0, %a1, %a2
shf.r.clamp.b32 %A0, %a0, %a1, %a2
fns.b32 %A0, %a0, %a1, %a2
dp4a.u32.s32 %A0, %a0, %a1, %a2
dp2a.lo.s32.s32 %A0, %a0, %a1, %a2
sad.u32 %A0, %a0, %a1, %a2
vabsdiff4.u32.u32.u32.add %A0, %a0, %a1, %a2
vadd2.s32.s32.s32 %A0, %a0, %a1, %a2
div.s32 %A0, %a0, %a1
rem.s32 %A0, %a0, %a1
slct.s32.f32 %A0, %a0, %a1, %f0
lop3.b32 %A0, %a0, %a1, %a2, 0x1e
cnot.b32 %A0, %a0
add.cc.u32 %A0, %a0, %a1; addc.u32 %A1, %a2, %a3
setp.lt.s32 %p0|%p1, %a0, %a1; selp.b32 %A0, %a0, %a1, %p0; selp.b32 %A1, %a2, %a3, %p1
setp.gt.u64 %p0, %l0, %l1; selp.b32 %A0, %a0, %a1, %p0
setp.lt.f64 %p0, %g0, %g1; selp.b32 %A0, %a0, %a1, %p0
setp.num.f32 %p0, %f0, %f1; selp.b32 %A0, %a0, %a1, %p0
add.f32 %F0, %f0, %f1
fma.rn.f32 %F0, %f0, %f1, %f2
fma.rz.ftz.f32 %F0, %f0, %f1, %f2
min.NaN.f32 %F0, %f0, %f1
min.f32 %F0, %f0, %f1, %f2
copysign.f32 %F0, %f0, %f1
testp.infinite.f32 %p0, %f0; selp.b32 %A0, %a0, %a1, %p0
rcp.rn.f32 %F0, %f0
sqrt.rn.f32 %F0, %f0
div.rn.f32 %F0, %f0, %f1
rsqrt.approx.f32 %F0, %f0
sin.approx.ftz.f32 %F0, %f0
lg2.approx.f32 %F0, %f0
ex2.approx.ftz.f32 %F0, %f0
tanh.approx.f32 %F0, %f0
add.rn.f32x2 %L0, %l0, %l1
fma.rn.f32x2 %L0, %l0, %l1, %l2
mul.rn.ftz.f32x2 %L0, %l0, %l1
add.f64 %G0, %g0, %g1
fma.rn.f64 %G0, %g0, %g1, %g2
min.f64 %G0, %g0, %g1
mul.rz.f64 %G0, %g0, %g1
rcp.approx.ftz.f64 %G0, %g0
rsqrt.approx.f64 %G0, %g0
cvt.rn.f64.s32 %G0, %a0
cvt.rn.f64.s64 %G0, %l0
cvt.rzi.s64.f64 %L0, %g0
cvt.rn.f32.f64 %F0, %g0
cvt.f64.f32 %G0, %f0
cvt.rmi.f64.f64 %G0, %g0
cvt.rn.f32.u64 %F0, %l0
cvt.rzi.u64.f32 %L0, %f0
cvt.rni.s32.f32 %A0, %f0
cvt.rn.f16.f32 %H0, %f0
cvt.rn.bf16x2.f32 %A0, %f0, %f1
cvt.rn.satfinite.e4m3x2.f32 %H0, %f0, %f1
cvt.rn.f16x2.e4m3x2 %A0, %h0
cvt.rna.tf32.f32 %A0, %f0
cvt.sat.s8.s32 %A0, %a0
cvt.u32.u8 %A0, %a0
cvt.rn.f16.u32 %H0, %a0
add.f16 %H0, %h0, %h1
fma.rn.f16x2 %A0, %a0, %a1, %a2
fma.rn.relu.bf16x2 %A0, %a0, %a1, %a2
max.bf16x2 %A0, %a0, %a1
tanh.approx.f16x2 %A0, %a0
ex2.approx.ftz.bf16x2 %A0, %a0
setp.lt.f16x2 %p0|%p1, %a0, %a1; selp.b32 %A0, %a0, %a1, %p0
set.gt.f32.f32 %F0, %f0, %f1
ld.global.v2.b32 {%A0, %A1}, [%in+64]
ld.global.v4.b32 {%A0, %A1, %A2, %A3}, [%in+64]
ld.global.v2.b64 {%L0, %L1}, [%in+64]
ld.global.v4.b64 {%L0, %L1, %L2, %L3}, [%in+64]
ld.global.v8.b32 {%A0, %A1, %A2, %A3, %A4, %A5, %A6, %A7}, [%in+64]
ld.global.L1::no_allocate.L2::128B.b32 %A0, [%in+64]
ld.global.cg.u8 %A0, [%in+65]
ld.b32 %A0, [%in+64]
ld.volatile.b64 %L0, [%in+64]
ld.acquire.gpu.global.u32 %A0, [%in+64]
ld.acquire.sys.global.u64 %L0, [%in+64]
ld.relaxed.sys.global.u32 %A0, [%in]
ld.mmio.relaxed.sys.global.u32 %A0, [%in]
st.release.gpu.global.u32 [%in+64], %a0
st.global.v4.f32 [%in+64], {%f0, %f1, %f2, %f3}
st.global.v8.b32 [%in+64], {%a0, %a1, %a2, %a3, %a4, %a5, %a6, %a7}
st.b64 [%in+64], %l0
st.global.b8 [%in+64], %a0
st.global.cs.b16 [%in+64], %h0
st.shared.v2.b64 [%tile], {%l0, %l1}; ld.shared.v2.b64 {%L0, %L1}, [%tile+32]
st.shared.b8 [%tile+3], %a0; ld.shared.s8 %A0, [%tile+7]
ld.shared.v4.b32 {%A0, %A1, %A2, %A3}, [%tile+16]
ld.volatile.shared.b32 %A0, [%tile]
st.local.b32 [spill], %a0; ld.local.b32 %A0, [spill+4]
prefetch.global.L2 [%in+256]
prefetchu.L1 [%in+256]
discard.global.L2 [%in], 128
applypriority.global.L2::evict_normal [%in], 128
createpolicy.fractional.L2::evict_last.b64 %l3, 1.0; ld.global.L2::cache_hint.b32 %A0, [%in], %l3
isspacep.shared %p0, %in; selp.b32 %A0, %a0, %a1, %p0
cvta.to.shared.u64 %L0, %in
mapa.shared::cluster.u32 %A0, %tile, %a0
ld.shared::cluster.u32 %A0, [%tile]
atom.global.add.u32 %A0, [%in], %a0
atom.global.add.u64 %L0, [%in], %l0
atom.global.add.f32 %F0, [%in], %f0
atom.global.add.f64 %G0, [%in], %g0
atom.global.add.noftz.f16x2 %A0, [%in], %a0
atom.global.cas.b64 %L0, [%in], %l0, %l1
atom.global.exch.b64 %L0, [%in], %l0
atom.global.inc.u32 %A0, [%in], %a0
atom.global.and.b32 %A0, [%in], %a0
atom.global.max.s64 %L0, [%in], %l0
atom.add.u32 %A0, [%in], %a0
atom.acq_rel.sys.global.add.u32 %A0, [%in], %a0
atom.acquire.gpu.global.cas.b32 %A0, [%in], %a0, %a1
atom.global.v2.f32.add {%F0, %F1}, [%in], {%f0, %f1}
atom.shared.add.u32 %A0, [%tile], %a0
atom.shared.cas.b32 %A0, [%tile], %a0, %a1
atom.shared.exch.b64 %L0, [%tile], %l0
atom.shared.add.f32 %F0, [%tile], %f0
atom.shared.max.u64 %L0, [%tile], %l0
red.global.add.u32 [%in], %a0
red.global.add.f64 [%in], %g0
red.global.add.noftz.bf16x2 [%in], %a0
red.release.gpu.global.add.u32 [%in], %a0
red.shared.or.b32 [%tile], %a0
red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.inc.u32 [%tile], %a0, [%tile+8]
st.async.shared::cluster.mbarrier::complete_tx::bytes.u32 [%tile], %a0, [%tile+8]
multimem.ld_reduce.global.add.f32 %F0, [%in]
multimem.red.global.add.f32 [%in], %f0
shfl.sync.up.b32 %A0, %a0, %a1, 0, -1
shfl.sync.idx.b32 %A0|%p0, %a0, %a1, %a2, %a3; selp.b32 %A1, %a0, %a1, %p0
vote.sync.all.pred %p1, %p0, -1; selp.b32 %A0, %a0, %a1, %p1
vote.sync.ballot.b32 %A0, %p0, %a0
match.any.sync.b32 %A0, %a0, -1
match.all.sync.b64 %A0|%p0, %l0, -1; selp.b32 %A1, %a0, %a1, %p0
redux.sync.min.s32 %A0, %a0, %a1
redux.sync.max.abs.NaN.f32 %F0, %f0, -1
activemask.b32 %A0
elect.sync %A0|%p0, -1; selp.b32 %A1, %a0, %a1, %p0
bar.sync %a0
bar.sync %a0, %a1
bar.arrive 2, 64
bar.red.and.pred %p1, 1, %p0; selp.b32 %A0, %a0, %a1, %p1
barrier.sync 3
bar.warp.sync %a0
barrier.cluster.arrive.release; barrier.cluster.wait.acquire
barrier.cluster.arrive.relaxed
membar.cta
membar.gl
membar.sys
fence.sc.cta
fence.sc.cluster
fence.sc.gpu
fence.sc.sys
fence.acq_rel.cta
fence.acq_rel.cluster
fence.acq_rel.gpu
fence.acq_rel.sys
fence.acquire.gpu
fence.release.sys
fence.proxy.alias
fence.proxy.async
fence.proxy.async.shared::cta
fence.proxy.tensormap::generic.release.gpu
fence.proxy.tensormap::generic.acquire.sys [%in], 128
st.global.b32 [%in], %a0; membar.gl; ld.volatile.global.b32 %A0, [%in+4]; membar.sys
mbarrier.init.shared.b64 [%tile], %a0
mbarrier.inval.shared.b64 [%tile]
mbarrier.arrive.shared.b64 %L0, [%tile]
mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%tile], 2
mbarrier.arrive.expect_tx.shared.b64 %L0, [%tile], %a0
mbarrier.arrive.noComplete.shared.b64 %L0, [%tile], 3
mbarrier.test_wait.shared.b64 %p0, [%tile], %l0; selp.b32 %A0, %a0, %a1, %p0
mbarrier.try_wait.parity.shared.b64 %p0, [%tile], %a0; selp.b32 %A0, %a0, %a1, %p0
mbarrier.try_wait.shared.b64 %p0, [%tile], %l0, %a0; selp.b32 %A0, %a0, %a1, %p0
mbarrier.pending_count.b64 %A0, %l0
mbarrier.expect_tx.relaxed.cta.shared.b64 [%tile], 64
cp.async.ca.shared.global [%tile], [%in], 4; cp.async.wait_all
cp.async.cg.shared.global [%tile], [%in], 16, %a0; cp.async.commit_group; cp.async.wait_group 0
cp.async.ca.shared.global [%tile], [%in], 8; cp.async.mbarrier.arrive.shared.b64 [%tile+64]
cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%tile], [%in], %a0, [%tile+512]
cp.async.bulk.global.shared::cta.bulk_group [%in], [%tile], %a0; cp.async.bulk.commit_group; cp.async.bulk.wait_group 0
cp.async.bulk.commit_group; cp.async.bulk.wait_group.read 1
cp.async.bulk.prefetch.L2.global [%in], %a0
cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%in], [%tile], %a0
cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%tile], [%in, {%a0, %a1}], [%tile+512]
cp.async.bulk.tensor.3d.global.shared::cta.bulk_group [%in, {%a0, %a1, %a2}], [%tile]
cp.async.bulk.prefetch.tensor.1d.L2.global [%in, {%a0}]
cp.reduce.async.bulk.tensor.1d.global.shared::cta.add.bulk_group [%in, {%a0}], [%tile]
tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned [%in], [%tile], 128
ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%A0}, [%tile]
ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%A0, %A1, %A2, %A3}, [%tile]
stmatrix.sync.aligned.m8n8.x2.shared.b16 [%tile], {%a0, %a1}
movmatrix.sync.aligned.m8n8.trans.b16 %A0, %a0
mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%F0,%F1,%F2,%F3}, {%a0,%a1,%a2,%a3}, {%a4,%a5}, {%f0,%f1,%f2,%f3}
mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%A0,%A1}, {%a0,%a1,%a2,%a3}, {%a4,%a5}, {%a6,%a7}
mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%A0,%A1,%A2,%A3}, {%a0,%a1,%a2,%a3}, {%a4,%a5}, {%a6,%a7,%a6,%a7}
mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32 {%F0,%F1,%F2,%F3}, {%a0,%a1,%a2,%a3}, {%a4,%a5}, {%f0,%f1,%f2,%f3}
mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%G0,%G1}, {%g0}, {%g1}, {%g2,%g3}
mma.sync.aligned.m16n8k4.row.col.f64.f64.f64.f64 {%G0,%G1,%G2,%G3}, {%g0,%g1}, {%g2}, {%g0,%g1,%g2,%g3}
mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.and.popc {%A0,%A1,%A2,%A3}, {%a0,%a1,%a2,%a3}, {%a4,%a5}, {%a6,%a7,%a6,%a7}
mma.sp::ordered_metadata.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32 {%F0,%F1,%F2,%F3}, {%a0,%a1,%a2,%a3}, {%a4,%a5,%a6,%a7}, {%f0,%f1,%f2,%f3}, %a0, 0
tex.1d.v4.f32.f32 {%F0,%F1,%F2,%F3}, [%in, {%f0}]
tex.2d.v4.s32.s32 {%A0,%A1,%A2,%A3}, [%in, {%a0, %a1}]
tex.3d.v4.f32.f32 {%F0,%F1,%F2,%F3}, [%in, {%f0, %f1, %f2, %f2}]
tex.a2d.v4.f32.f32 {%F0,%F1,%F2,%F3}, [%in, {%a0, %f0, %f1, %f1}]
tex.cube.v4.f32.f32 {%F0,%F1,%F2,%F3}, [%in, {%f0, %f1, %f2, %f2}]
tex.level.2d.v4.f32.f32 {%F0,%F1,%F2,%F3}, [%in, {%f0, %f1}], %f2
tex.grad.2d.v4.f32.f32 {%F0,%F1,%F2,%F3}, [%in, {%f0, %f1}], {%f2, %f3}, {%f4, %f5}
tld4.r.2d.v4.f32.f32 {%F0,%F1,%F2,%F3}, [%in, {%f0, %f1}]
txq.width.b32 %A0, [%in]
suld.b.1d.b32.trap {%A0}, [%in, {%a0}]
suld.b.2d.v4.b32.clamp {%A0,%A1,%A2,%A3}, [%in, {%a0, %a1}]
sust.b.3d.v2.b32.zero [%in, {%a0, %a1, %a2, %a2}], {%a3, %a4}
sured.b.add.2d.u32.trap [%in, {%a0, %a1}], %a2
suq.height.b32 %A0, [%in]
mov.u32 %A0, %clock
mov.u64 %L0, %clock64
mov.u64 %L0, %globaltimer
mov.u32 %A0, %smid; mov.u32 %A1, %warpid; mov.u32 %A2, %lanemask_ge
mov.u32 %A0, %cluster_ctaid.x; mov.u32 %A1, %cluster_nctaid.y; mov.u32 %A2, %cluster_ctarank
mov.u64 %L0, %gridid; mov.u32 %A0, %dynamic_smem_size
mov.u32 %A0, %nctaid.y; mov.u32 %A1, %tid.y; mov.u32 %A2, %ntid.z
nanosleep.u32 %a0
griddepcontrol.wait; ld.global.b32 %A0, [%in+8]; griddepcontrol.launch_dependents
setmaxnreg.inc.sync.aligned.u32 64
pmevent 3
brkpt
@%p0 trap
@%p0 exit
alloca.u64 %l3, 64; st.local.b32 [%l3], %a0
clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::complete_tx::bytes.b128 [%tile], [%tile+16]
getctarank.shared::cluster.u32 %A0, %tile
tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%tile], 64; tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned
tcgen05.dealloc.cta_group::1.sync.aligned.b32 %a0, 64
tcgen05.ld.sync.aligned.32x32b.x4.b32 {%A0,%A1,%A2,%A3}, [%a0]; tcgen05.wait::ld.sync.aligned
tcgen05.st.sync.aligned.16x64b.x2.b32 [%a0], {%a1,%a2}; tcgen05.wait::st.sync.aligned
tcgen05.cp.cta_group::1.128x256b [%a0], %l0
tcgen05.shift.cta_group::1.down [%a0]
tcgen05.mma.cta_group::1.kind::f16 [%a0], %l0, %l1, %a1, %p0
tcgen05.mma.cta_group::1.kind::tf32 [%a0], [%a1], %l1, %a2, 1
tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [%tile]
tcgen05.fence::before_thread_sync; bar.sync 0; tcgen05.fence::after_thread_sync
mma.sync.aligned.m16n8k32.row.col.kind::mxf8f6f4.block_scale.scale_vec::1X.f32.e4m3.e5m2.f32.ue8m0 {%F0,%F1,%F2,%F3}, {%a0,%a1,%a2,%a3}, {%a4,%a5}, {%f0,%f1,%f2,%f3}, {%a0}, {0,1}, {%a1}, {0,1}
"""


def statements():
    return [line for line in INSTRUCTIONS.strip().splitlines()]


def used(text, letter):
    return sorted(set(int(number) for number in re.findall(r"%%%s(\d)\b" % letter, text)))


def kernel(name, text):
    """A kernel around one line of the table."""
    lines = ["  .reg .b64 %in, %out;", "  .reg .b32 %tile, %bit;", "  .reg .pred %p<4>;"]
    loads, stores = [], []
    for position, (letter, (kind, load, store)) in enumerate(LETTERS.items()):
        lines.append("  .reg .%s %%%s<8>, %%%s<8>;" % (kind, letter, letter.upper()))
        loads += ["  %s %%%s%d, [%%in+%d];" % (load, letter, n, 512 + 128 * position + 8 * n) for n in used(text, letter)]
        stores += ["  %s [%%out+%d], %%%s%d;" % (store, 128 * position + 8 * n, letter.upper(), n)
                   for n in used(text, letter.upper())]
    for n in used(text, "p"):
        loads += ["  ld.global.b32 %%bit, [%%in+%d];" % (1536 + 4 * n), "  setp.ne.s32 %%p%d, %%bit, 0;" % n]
    body = ["  .shared .align 128 .b8 tile_%s[1024];" % name] if "%tile" in text else []
    body += ["  .local .align 8 .b8 spill[32];"] if "spill" in text else []
    body += lines + ["  ld.param.u64 %in, [in];", "  ld.param.u64 %out, [out];"]
    body += ["  mov.u32 %%tile, tile_%s;" % name] if "%tile" in text else []
    body += loads + ["  %s;" % text] + stores + ["  ret;"]
    return ".visible .entry %s(.param .u64 in, .param .u64 out)\n{\n%s\n}\n" % (name, "\n".join(body))
