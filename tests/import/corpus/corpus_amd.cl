// Kernels for AMD: see ../make_corpus.sh. Built-in functions of the compiler, because no library is linked.
#define ID __builtin_amdgcn_workitem_id_x()

__kernel void plain(__global float* to) { to[ID] = 1.0f; }

__kernel void with_lds(__global float* to) {
  __local float tile[256];
  tile[ID % 256] = to[ID];
  __builtin_amdgcn_s_barrier();
  to[ID] = tile[255 - ID % 256];
}

__kernel __attribute__((reqd_work_group_size(64, 2, 1))) void exactly_128(__global float* to) {
  __local double part[32];
  part[ID % 32] = to[ID];
  __builtin_amdgcn_s_barrier();
  to[ID] = (float)part[31 - ID % 32];
}

__kernel __attribute__((amdgpu_flat_work_group_size(1, 1024))) void up_to_1024(__global float* to) { to[ID] = 2.0f; }

__kernel void many_values(__global float* data) {
  float value[64];
#pragma unroll
  for (int i = 0; i < 64; ++i) value[i] = data[i * ID];
#pragma unroll
  for (int i = 0; i < 64; ++i) value[i] = value[i] * value[(i + 7) % 64] + value[(i + 3) % 64];
#pragma unroll
  for (int i = 0; i < 64; ++i) data[i] = value[i];
}

__kernel __attribute__((amdgpu_num_vgpr(24))) void spills(__global float* data) {
  float value[48];
#pragma unroll
  for (int i = 0; i < 48; ++i) value[i] = data[i * ID];
#pragma unroll
  for (int i = 0; i < 48; ++i) value[i] = value[i] * value[(i + 7) % 48] + value[(i + 3) % 48];
#pragma unroll
  for (int i = 0; i < 48; ++i) data[i] = value[i];
}

__kernel void private_array(__global float* to, int index) {
  float values[32];
  for (int i = 0; i < 32; ++i) values[i] = to[i];
  to[0] = values[index];
}

#ifdef WITH_ACCUMULATION
__kernel void accumulates(__global float* to) {
  float a = to[ID];
  __asm__ volatile("v_accvgpr_write_b32 a9, %0" ::"v"(a) : "a9");
  __asm__ volatile("v_accvgpr_read_b32 %0, a9" : "=v"(a));
  to[ID] = a;
}
#endif
