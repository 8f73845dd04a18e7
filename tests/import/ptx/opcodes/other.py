"""PTX that is no arithmetic: one line for each opcode of the ISA 9.0, with registers that its kernel declares."""
R = "{%r1}", "{%r1,%r2}", "{%r1,%r2,%r3,%r4}"
OTHER = """
mov.u32 %r1,%tid.x
mov.b64 %l1,{%r1,%r2}
ld.global.b32 %r1,[%l1]
ld.global.nc.L1::no_allocate.b32 %r1,[%l1]
ld.shared.b32 %r1,[s]
ld.local.b32 %r1,[l]
ld.const.b32 %r1,[c]
ld.param.b64 %l1,[p]
ldu.global.b32 %r1,[%l1]
st.global.b32 [%l1],%r1
st.shared.b32 [s],%r1
st.local.b32 [l],%r1
st.async.shared::cluster.mbarrier::complete_tx::bytes.b32 [%r1],%r2,[%r3]
multimem.ld_reduce.global.add.u32 %r1,[%l1]
multimem.st.global.u32 [%l1],%r1
multimem.red.global.add.u32 [%l1],%r1
prefetch.global.L2 [%l1]
prefetchu.L1 [%l1]
applypriority.global.L2::evict_normal [%l1],128
discard.global.L2 [%l1],128
createpolicy.fractional.L2::evict_last.b64 %l1,1.0
isspacep.global %p1,%l1
cvta.to.global.u64 %l1,%l2
mapa.shared::cluster.u32 %r1,%r2,%r3
getctarank.shared::cluster.u32 %r1,%r2
cp.async.ca.shared.global [%r1],[%l1],4
cp.async.cg.shared.global [%r1],[%l1],16
cp.async.commit_group
cp.async.wait_group 0
cp.async.wait_all
cp.async.mbarrier.arrive.shared.b64 [%r1]
cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r1],[%l1],64,[%r2]
cp.async.bulk.global.shared::cta.bulk_group [%l1],[%r1],64
cp.async.bulk.prefetch.L2.global [%l1],64
cp.async.bulk.commit_group
cp.async.bulk.wait_group 0
cp.async.bulk.wait_group.read 0
cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%l1],[%r1],64
cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%r1],[%l1,{%r2,%r3}],[%r4]
cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%l1,{%r2,%r3}],[%r1]
cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.tile.bulk_group [%l1,{%r2,%r3}],[%r1]
cp.async.bulk.prefetch.tensor.2d.L2.global.tile [%l1,{%r2,%r3}]
tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned [%l1],[%r1],128
bar.sync 0
bar.sync 1,32
bar.arrive 1,64
bar.warp.sync 0xffffffff
bar.red.popc.u32 %r1,0,%p1
barrier.sync 0
barrier.cluster.arrive
barrier.cluster.wait
membar.gl
fence.acq_rel.gpu
fence.proxy.async
fence.mbarrier_init.release.cluster
atom.global.add.u32 %r1,[%l1],%r2
atom.shared.add.u32 %r1,[s],%r2
atom.global.cas.b32 %r1,[%l1],%r2,%r3
red.global.add.u32 [%l1],%r1
red.global.add.noftz.f16x2 [%l1],%r1
red.async.relaxed.cluster.global.mbarrier::complete_tx::bytes.shared::cluster.add.u32 [%r1],%r2,[%r3]
griddepcontrol.wait
griddepcontrol.launch_dependents
elect.sync _|%p1,0xffffffff
mbarrier.init.shared.b64 [%r1],1
mbarrier.inval.shared.b64 [%r1]
mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%r1],64
mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [%r1],64
mbarrier.arrive.shared.b64 %l1,[%r1]
mbarrier.arrive.expect_tx.shared.b64 %l1,[%r1],64
mbarrier.arrive_drop.shared.b64 %l1,[%r1]
mbarrier.test_wait.shared.b64 %p1,[%r1],%l1
mbarrier.try_wait.parity.shared.b64 %p1,[%r1],%r2
mbarrier.pending_count.b64 %r1,%l1
wmma.load.a.sync.aligned.row.m16n16k16.shared.f16 {%r1,%r2,%r3,%r4,%r5,%r6,%r7,%r8},[s],16
wmma.load.c.sync.aligned.row.m16n16k16.shared.f32 {%f1,%f2,%f3,%f4,%f5,%f6,%f7,%f8},[s],16
wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32 {%f1,%f2,%f3,%f4,%f5,%f6,%f7,%f8},{%r1,%r2,%r3,%r4,%r5,%r6,%r7,%r8},{%r1,%r2,%r3,%r4,%r5,%r6,%r7,%r8},{%f1,%f2,%f3,%f4,%f5,%f6,%f7,%f8}
wmma.store.d.sync.aligned.row.m16n16k16.shared.f32 [s],{%f1,%f2,%f3,%f4,%f5,%f6,%f7,%f8},16
mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%f1,%f2,%f3,%f4},{%r1,%r2},{%r3},{%f1,%f2,%f3,%f4}
mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%r1,%r2},{%r1,%r2,%r3,%r4},{%r5,%r6},{%r1,%r2}
mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%f1,%f2,%f3,%f4},{%r1,%r2,%r3,%r4},{%r5,%r6},{%f1,%f2,%f3,%f4}
mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%f1,%f2,%f3,%f4},{%r1,%r2,%r3,%r4},{%r5,%r6},{%f1,%f2,%f3,%f4}
mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%d1,%d2},{%d3},{%d4},{%d1,%d2}
mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%r1,%r2,%r3,%r4},{%r1,%r2,%r3,%r4},{%r5,%r6},{%r1,%r2,%r3,%r4}
mma.sp::ordered_metadata.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32 {%f1,%f2,%f3,%f4},{%r1,%r2,%r3,%r4},{%r5,%r6,%r7,%r8},{%f1,%f2,%f3,%f4},%r1,0x0
ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r1,%r2,%r3,%r4},[s]
stmatrix.sync.aligned.m8n8.x4.shared.b16 [s],{%r1,%r2,%r3,%r4}
movmatrix.sync.aligned.m8n8.trans.b16 %r1,%r2
wgmma.fence.sync.aligned
wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f1,%f2,%f3,%f4},%l1,%l2,1,1,1,0,0
wgmma.commit_group.sync.aligned
wgmma.wait_group.sync.aligned 0
setmaxnreg.inc.sync.aligned.u32 40
nanosleep.u32 20
brkpt
pmevent 1
"""
LINES = [line for line in OTHER.splitlines() if line]
