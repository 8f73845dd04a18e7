"""PTX arithmetic: opcode, operand types; from the PTX ISA 9.0's list of instructions."""
OPS=[]
def op(code,*types,extra=''):
    n=len(types)-1
    OPS.append((code+' $d'+''.join(f',${i}' for i in range(n))+extra,types))
I=['u16','s16','u32','s32','u64','s64']
for t in I:
    for o in ('add','sub','div','rem','min','max'): op(f'{o}.{t}',t,t,t)
    for m in ('lo','hi'): op(f'mul.{m}.{t}',t,t,t)
    for m in ('lo','hi'): op(f'mad.{m}.{t}',t,t,t,t)
    op(f'sad.{t}',t,t,t,t)
    b=t.replace('u','b').replace('s','b')
    op(f'shr.{t}',t,t,'u32')
    op(f'setp.lt.{t}','pred',t,t); op(f'slct.{b if t[0]=="u" else t}.s32',t,t,t,'s32')
    op(f'set.lt.u32.{t}','u32',t,t); op(f'set.lt.f32.{t}','f32',t,t)
for t in ('s16','s32','s64'): op(f'abs.{t}',t,t); op(f'neg.{t}',t,t)
for t,w in (('u16','u32'),('s16','s32'),('u32','u64'),('s32','s64')):
    op(f'mul.wide.{t}',w,t,t); op(f'mad.wide.{t}',w,t,t,w)
op('add.sat.s32','s32','s32','s32'); op('sub.sat.s32','s32','s32','s32'); op('mad.hi.sat.s32','s32','s32','s32','s32')
for o in ('add','min','max'):
    for t in ('u16x2','s16x2'): op(f'{o}.{t}',t,t,t)
op('min.relu.s16x2','s16x2','s16x2','s16x2'); op('max.relu.s32','s32','s32','s32')
for m in ('lo','hi'):
    for t in ('u32','s32'): op(f'mul24.{m}.{t}',t,t,t); op(f'mad24.{m}.{t}',t,t,t,t)
for b in ('b32','b64'):
    op(f'popc.{b}','u32',b); op(f'clz.{b}','u32',b); op(f'brev.{b}',b,b)
    op(f'bfi.{b}',b,b,b,'u32','u32')
for t in ('u32','s32','u64','s64'): op(f'bfind.{t}','u32',t); op(f'bfind.shiftamt.{t}','u32',t); op(f'bfe.{t}',t,t,'u32','u32')
op('fns.b32','b32','b32','b32','s32')
op('bmsk.clamp.b32','b32','u32','u32'); op('bmsk.wrap.b32','b32','u32','u32'); op('szext.clamp.u32','u32','u32','u32'); op('szext.wrap.s32','s32','s32','u32')
for a in 'us':
    for b in 'us': op(f'dp4a.{a}32.{b}32','s32',f'{a}32',f'{b}32','s32'); op(f'dp2a.lo.{a}32.{b}32','s32',f'{a}32',f'{b}32','s32'); op(f'dp2a.hi.{a}32.{b}32','s32',f'{a}32',f'{b}32','s32')
for t in ('u32','s32','u64','s64'):
    op(f'add.cc.{t}',t,t,t); op(f'addc.{t}',t,t,t); op(f'addc.cc.{t}',t,t,t); op(f'sub.cc.{t}',t,t,t); op(f'subc.{t}',t,t,t); op(f'subc.cc.{t}',t,t,t)
    for m in ('lo','hi'): op(f'mad.{m}.cc.{t}',t,t,t,t); op(f'madc.{m}.{t}',t,t,t,t); op(f'madc.{m}.cc.{t}',t,t,t,t)
for b in ('b16','b32','b64'):
    for o in ('and','or','xor'): op(f'{o}.{b}',b,b,b)
    op(f'not.{b}',b,b); op(f'cnot.{b}',b,b); op(f'shl.{b}',b,b,'u32'); op(f'selp.{b}',b,b,b,'pred'); op(f'setp.ne.{b}','pred',b,b)
for o in ('and','or','xor'): op(f'{o}.pred','pred','pred','pred')
op('not.pred','pred','pred')
op('lop3.b32','b32','b32','b32','b32',extra=',0x96')
for m in ('l','r'):
    for w in ('wrap','clamp'): op(f'shf.{m}.{w}.b32','b32','b32','b32','u32')
op('prmt.b32','b32','b32','b32','b32')
for m in ('f4e','b4e','rc8','ecl','ecr','rc16'): op(f'prmt.b32.{m}','b32','b32','b32','b32')
for f in ('','.ftz'):
    for r in ('rn','rz','rm','rp'):
        for o in ('add','sub','mul'): op(f'{o}.{r}{f}.f32','f32','f32','f32')
        op(f'fma.{r}{f}.f32','f32','f32','f32','f32'); op(f'mad.{r}{f}.f32','f32','f32','f32','f32')
        op(f'div.{r}{f}.f32','f32','f32','f32'); op(f'rcp.{r}{f}.f32','f32','f32'); op(f'sqrt.{r}{f}.f32','f32','f32')
    for o in ('add','sub','mul','min','max'): op(f'{o}{f}.f32','f32','f32','f32')
    for o in ('add','sub','mul'): op(f'{o}{f}.sat.f32','f32','f32','f32')
    for o in ('abs','neg'): op(f'{o}{f}.f32','f32','f32')
    for o in ('rcp.approx','sqrt.approx','rsqrt.approx','sin.approx','cos.approx','lg2.approx','ex2.approx'): op(f'{o}{f}.f32','f32','f32')
    op(f'div.approx{f}.f32','f32','f32','f32'); op(f'div.full{f}.f32','f32','f32','f32')
    op(f'setp.lt{f}.f32','pred','f32','f32'); op(f'set.lt.u32{f}.f32','u32','f32','f32'); op(f'set.lt.f32{f}.f32','f32','f32','f32'); op(f'slct{f}.f32.f32','f32','f32','f32','f32')
op('min.NaN.f32','f32','f32','f32'); op('max.NaN.f32','f32','f32','f32'); op('max.xorsign.abs.f32','f32','f32','f32'); op('max.f32','f32','f32','f32','f32')
op('tanh.approx.f32','f32','f32'); op('selp.f32','f32','f32','f32','pred'); op('slct.f32.s32','f32','f32','f32','s32'); op('copysign.f32','f32','f32','f32'); op('copysign.f64','f64','f64','f64')
op('add.f32x2','b64','b64','b64'); op('sub.f32x2','b64','b64','b64'); op('mul.f32x2','b64','b64','b64'); op('fma.rn.f32x2','b64','b64','b64','b64')
op('add.f32.f16','f32','f16','f32'); op('sub.f32.bf16','f32','bf16','f32'); op('fma.rn.f32.f16','f32','f16','f16','f32')
for k in ('finite','infinite','number','notanumber','normal','subnormal'): op(f'testp.{k}.f32','pred','f32'); op(f'testp.{k}.f64','pred','f64')
for r in ('rn','rz','rm','rp'):
    for o in ('add','sub','mul','div'): op(f'{o}.{r}.f64','f64','f64','f64')
    op(f'fma.{r}.f64','f64','f64','f64','f64'); op(f'mad.{r}.f64','f64','f64','f64','f64'); op(f'rcp.{r}.f64','f64','f64'); op(f'sqrt.{r}.f64','f64','f64')
for o in ('add','sub','mul','min','max'): op(f'{o}.f64','f64','f64','f64')
for o in ('abs','neg'): op(f'{o}.f64','f64','f64')
op('rcp.approx.ftz.f64','f64','f64'); op('rsqrt.approx.f64','f64','f64'); op('rsqrt.approx.ftz.f64','f64','f64')
op('setp.lt.f64','pred','f64','f64'); op('set.lt.u32.f64','u32','f64','f64'); op('selp.f64','f64','f64','f64','pred'); op('slct.f64.s32','f64','f64','f64','s32')
for t in ('f16','f16x2','bf16','bf16x2'):
    for o in ('add','sub','mul','add.rn','sub.rn','mul.rn','min','max','min.NaN','max.NaN'): op(f'{o}.{t}',t,t,t)
    for o in ('abs','neg'): op(f'{o}.{t}',t,t)
    op(f'fma.rn.{t}',t,t,t,t); op(f'fma.rn.relu.{t}',t,t,t,t); op(f'tanh.approx.{t}',t,t)
    op(('ex2.approx.' if t[0]=='f' else 'ex2.approx.ftz.')+t,t,t)
for t in ('f16','bf16'): op(f'setp.lt.{t}','pred',t,t); op(f'set.lt.u32.{t}','u32',t,t)
for t in ('f16x2','bf16x2'): op(f'set.lt.u32.{t}','u32',t,t)
F=['f16','bf16','f32','f64']; N=['u8','s8']+I
for a in N:
    for b in N:
        if a!=b: op(f'cvt.{a}.{b}',a,b)
    for f in F: op(f'cvt.rzi.{a}.{f}',a,f); op(f'cvt.rn.{f}.{a}',f,a)
    if a not in('u8',): op(f'cvt.sat.{a}.s32',a,'s32')
for a in F:
    for b in F:
        if a!=b: op(f'cvt{".rn" if F.index(b)>F.index(a) or {a,b}=={"f16","bf16"} else ""}.{a}.{b}',a,b)
for f in ('f16','f32','f64'):
    for r in ('rni','rzi','rmi','rpi'): op(f'cvt.{r}.{f}.{f}',f,f)
op('cvt.sat.f32.f32','f32','f32'); op('cvt.rna.tf32.f32','tf32','f32'); op('cvt.rn.tf32.f32','tf32','f32')
for t in ('f16x2','bf16x2'):
    op(f'cvt.rn.{t}.f32',t,'f32','f32'); op(f'cvt.rn.relu.{t}.f32',t,'f32','f32'); op(f'cvt.rz.{t}.f32',t,'f32','f32')
for e in ('e4m3x2','e5m2x2'):
    op(f'cvt.rn.satfinite.{e}.f32','b16','f32','f32'); op(f'cvt.rn.satfinite.{e}.f16x2','b16','f16x2'); op(f'cvt.rn.f16x2.{e}','f16x2','b16')
op('cvt.pack.sat.s16.s32','b32','s32','s32'); op('cvt.pack.sat.u8.s32.b32','b32','s32','s32','b32')
for t in ('u32','s32'):
    for o in ('vadd','vsub','vabsdiff','vmin','vmax'): op(f'{o}.{t}.{t}.{t}',t,t,t)
    op(f'vmad.{t}.{t}.{t}',t,t,t,t); op(f'vset.{t}.{t}.lt',t,t,t); op(f'vshl.{t}.{t}.u32.clamp',t,t,'u32'); op(f'vshr.{t}.{t}.u32.clamp',t,t,'u32')
    for o in ('vadd','vsub','vavrg','vabsdiff','vmin','vmax'):
        op(f'{o}2.{t}.{t}.{t}',t,t,t,t); op(f'{o}4.{t}.{t}.{t}',t,t,t,t)
    op(f'vset2.{t}.{t}.lt',t,t,t,t); op(f'vset4.{t}.{t}.lt',t,t,t,t)
for m in ('up','down','bfly','idx'): op(f'shfl.sync.{m}.b32','b32','b32','u32','31',extra=',0xffffffff')
for v in ('all','any','uni'): op(f'vote.sync.{v}.pred','pred','pred',extra=',0xffffffff')
op('vote.sync.ballot.b32','b32','pred',extra=',0xffffffff')
op('match.any.sync.b32','b32','b32',extra=',0xffffffff'); op('match.any.sync.b64','b32','b64',extra=',0xffffffff'); op('match.all.sync.b32','b32','b32',extra=',0xffffffff')
for o in ('add','min','max'):
    for t in ('u32','s32'): op(f'redux.sync.{o}.{t}',t,t,extra=',0xffffffff')
for o in ('and','or','xor'): op(f'redux.sync.{o}.b32','b32','b32',extra=',0xffffffff')
for o in ('min','max'): op(f'redux.sync.{o}.f32','f32','f32',extra=',0xffffffff')
OPS.append(('activemask.b32 $d',('b32',)))
op('elect.sync _|$d,0xffffffff','pred'); OPS[-1]=('elect.sync _|$d,0xffffffff',('pred',))
