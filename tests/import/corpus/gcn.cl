// Kernels of the project's own, from which `gcn.gfx90a.s` and `gcn.gfx1030.s` are made: see make_corpus.sh.
#define LOCAL_ID(d) ((d) == 0 ? __builtin_amdgcn_workitem_id_x() : __builtin_amdgcn_workitem_id_y())
#define GROUP_ID(d) ((d) == 0 ? __builtin_amdgcn_workgroup_id_x() : __builtin_amdgcn_workgroup_id_y())
#define GLOBAL_ID ((int)(GROUP_ID(0) * __builtin_amdgcn_workgroup_size_x() + LOCAL_ID(0)))
#define BARRIER                                          \
  do {                                                   \
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup"); \
    __builtin_amdgcn_s_barrier();                        \
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup"); \
  } while (0)

kernel void add(global const float* a, global const float* b, global float* c, int n) {
  const int i = GLOBAL_ID;
  if (i < n) c[i] = a[i] + b[i];
}

#define TILE 16
kernel void product(global const float* a, global const float* b, global float* c, int n) {
  local float of_a[TILE][TILE], of_b[TILE][TILE];
  const int x = LOCAL_ID(0), y = LOCAL_ID(1);
  const int row = GROUP_ID(1) * TILE + y, column = GROUP_ID(0) * TILE + x;
  float sum = 0;
  for (int tile = 0; tile < n / TILE; ++tile) {
    of_a[y][x] = a[row * n + tile * TILE + x];
    of_b[y][x] = b[(tile * TILE + y) * n + column];
    BARRIER;
    for (int k = 0; k < TILE; ++k) sum += of_a[y][k] * of_b[k][x];
    BARRIER;
  }
  c[row * n + column] = sum;
}

kernel void reduce(global const float* in, global float* out, int n) {
  local float sums[256];
  const int item = LOCAL_ID(0);
  float sum = 0;
  for (int i = GLOBAL_ID; i < n; i += __builtin_amdgcn_grid_size_x()) sum += in[i];
  sums[item] = sum;
  BARRIER;
  for (int distance = 128; distance > 0; distance >>= 1) {
    if (item < distance) sums[item] += sums[item + distance];
    BARRIER;
  }
  if (item == 0) out[GROUP_ID(0)] = sums[0];
}

kernel void columns(global const float* in, global float* out, int rows, int width) {
  const int i = GLOBAL_ID;
  float sum = 0;
  for (int row = 0; row < rows; ++row) sum += in[row * width + i] * 2.0f;
  out[i] = sum;
}

kernel void positive(global const int* in, global float* out) {
  const int i = GLOBAL_ID;
  if (in[i] > 3) out[i] = __builtin_sqrtf((float)in[i]);
}

kernel void gather(global const int* index, global float* out, global const float* in) {
  const int i = GLOBAL_ID;
  out[i] = in[index[i]];
}

kernel void chase(global const int* next, global int* out) {
  int at = GLOBAL_ID;
  int steps = 0;
  while (at > 0) {
    at = next[at];
    ++steps;
  }
  out[GLOBAL_ID] = steps;
}

kernel void histogram(global int* counts) {
  __opencl_atomic_fetch_add((global atomic_int*)(counts + (GLOBAL_ID & 15)), 1, __ATOMIC_RELAXED,
                            __OPENCL_MEMORY_SCOPE_DEVICE);
}

kernel void modulo(global const float* in, global float* out, int n) {
  const int i = GLOBAL_ID;
  out[i] = in[i % n];
}
