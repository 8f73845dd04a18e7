// Kernels whose registers, shared memory and bounds are compared with what `ptxas -v` prints: see ../make_corpus.sh.
// Small, so that all architectures together stay small.
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

// Templates: one source, many kernels.
template <int N>
__global__ void scale(float* to, const float* from) {
#pragma unroll
  for (int i = 0; i < N; ++i) to[threadIdx.x * N + i] = from[threadIdx.x * N + i] * 2.0f;
}
template __global__ void scale<1>(float*, const float*);
template __global__ void scale<2>(float*, const float*);
template __global__ void scale<4>(float*, const float*);
template __global__ void scale<8>(float*, const float*);
template __global__ void scale<16>(float*, const float*);

template <typename T, int Tile>
__global__ void tile_sum(T* to, const T* from) {
  __shared__ T tile[Tile];
  tile[threadIdx.x % Tile] = from[threadIdx.x];
  __syncthreads();
  T sum = 0;
  for (int i = 0; i < Tile; ++i) sum += tile[(i + threadIdx.x) % Tile];
  to[threadIdx.x] = sum;
}
template __global__ void tile_sum<float, 32>(float*, const float*);
template __global__ void tile_sum<float, 256>(float*, const float*);
template __global__ void tile_sum<float, 1000>(float*, const float*);
template __global__ void tile_sum<double, 32>(double*, const double*);
template __global__ void tile_sum<double, 512>(double*, const double*);
template __global__ void tile_sum<char, 1>(char*, const char*);
template __global__ void tile_sum<char, 33>(char*, const char*);
template __global__ void tile_sum<int, 12288>(int*, const int*);

// Launch bounds.
__global__ void __launch_bounds__(32) bound_32(float* to) { to[threadIdx.x] = 1.0f; }
__global__ void __launch_bounds__(96, 2) bound_96(float* to) { to[threadIdx.x] = 1.0f; }
__global__ void __launch_bounds__(1024, 1) bound_1024(float* to) { to[threadIdx.x] = 1.0f; }
template <int Block>
__global__ void __launch_bounds__(Block, 4) bounded_dot(float* to, const float* a, const float* b) {
  __shared__ float part[Block];
  part[threadIdx.x] = a[threadIdx.x] * b[threadIdx.x];
  __syncthreads();
  if (threadIdx.x == 0)
    for (int i = 0; i < Block; ++i) to[0] += part[i];
}
template __global__ void bounded_dot<64>(float*, const float*, const float*);
template __global__ void bounded_dot<128>(float*, const float*, const float*);
template __global__ void bounded_dot<256>(float*, const float*, const float*);

// Dynamic shared memory, alone and beside a static part.
extern __shared__ float dynamic[];
__global__ void dynamic_alone(float* to) {
  dynamic[threadIdx.x] = to[threadIdx.x];
  __syncthreads();
  to[threadIdx.x] = dynamic[blockDim.x - 1 - threadIdx.x];
}
__global__ void dynamic_beside_static(float* to) {
  __shared__ float fixed[100];
  dynamic[threadIdx.x] = to[threadIdx.x];
  fixed[threadIdx.x % 100] = to[threadIdx.x + 1];
  __syncthreads();
  to[threadIdx.x] = dynamic[blockDim.x - 1 - threadIdx.x] + fixed[threadIdx.x % 7];
}

// Spills: many values live at once, few registers.
template <int Live>
__device__ __forceinline__ void many_live(float* data) {
  float value[Live];
#pragma unroll
  for (int i = 0; i < Live; ++i) value[i] = data[i * threadIdx.x];
#pragma unroll
  for (int i = 0; i < Live; ++i) value[i] = value[i] * value[(i + 7) % Live] + value[(i + 3) % Live];
#pragma unroll
  for (int i = 0; i < Live; ++i) data[i] = value[i];
}
__global__ void __launch_bounds__(1024, 2) spills_32(float* data) { many_live<48>(data); }
__global__ void __maxnreg__(24) spills_24(float* data) { many_live<40>(data); }
__global__ void unspilled(float* data) { many_live<40>(data); }

// Stack without spills: an array that is indexed by what is not known.
__global__ void local_array(float* to, int index) {
  float values[64];
  for (int i = 0; i < 64; ++i) values[i] = to[i];
  to[0] = values[index];
}

// Functions that are called, and have frames of their own.
__device__ __noinline__ float called(const float* from, int index) {
  float values[16];
  for (int i = 0; i < 16; ++i) values[i] = from[i];
  return values[index];
}
__global__ void caller(float* to, int index) { to[0] = called(to, index) + called(to + 1, index); }
__device__ __noinline__ int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
__global__ void recursive(int* to) { to[0] = fibonacci(to[1]); }
__global__ void slow_path(float* to) { to[threadIdx.x] = sinf(to[threadIdx.x]); }

// Barriers.
__global__ void no_barrier(int* to) { to[threadIdx.x] = threadIdx.x; }
__global__ void named_barriers(int* to) {
  asm volatile("bar.sync 3, 64;");
  to[threadIdx.x] = 1;
  asm volatile("bar.sync 5, 64;");
}
__global__ void chosen_barrier(int* to, int which) {
  asm volatile("bar.sync %0, 64;" ::"r"(which));
  to[threadIdx.x] = 1;
}

// Cooperative kernels.
__global__ void grid_wide(int* to) {
  to[blockIdx.x] = 1;
  cg::this_grid().sync();
  to[blockIdx.x] += to[0];
}
__global__ void tiled(int* to) {
  auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  to[threadIdx.x] = tile.shfl_xor(to[threadIdx.x], 3);
}

// Names: namespaces, lambdas' kin, C linkage, operators in template arguments.
namespace {
__global__ void in_anonymous_namespace(int* to) { to[0] = 1; }
}  // namespace
void use_anonymous(int* to) { in_anonymous_namespace<<<1, 1>>>(to); }
namespace outer::inner {
struct Plus {
  __device__ int operator()(int a, int b) const { return a + b; }
};
template <class Op, bool (*Test)(int)>
__global__ void apply(int* to, Op op) {
  if (Test(to[0])) to[0] = op(to[1], to[2]);
}
__device__ bool is_odd(int n) { return n % 2 == 1; }
template __global__ void apply<Plus, is_odd>(int*, Plus);
}  // namespace outer::inner
extern "C" __global__ void c_linkage(int* to) { to[0] = 1; }

// Kinds of values.
__global__ void doubles(double* to) { to[threadIdx.x] = to[threadIdx.x] / 3.0; }
__global__ void atomics(int* to) { atomicAdd(to + threadIdx.x % 8, 1); }
__global__ void wide_loads(float4* to) {
  float4 a = to[threadIdx.x], b = to[threadIdx.x + 1];
  to[threadIdx.x] = make_float4(a.x + b.w, a.y + b.z, a.z + b.y, a.w + b.x);
}
__global__ void shared_struct(float4* to) {
  __shared__ struct {
    char flag;
    double sum;
    float4 rest[3];
  } all;
  if (threadIdx.x == 0) all.sum = to[0].x;
  all.flag = static_cast<char>(threadIdx.x);
  all.rest[threadIdx.x % 3] = to[threadIdx.x];
  __syncthreads();
  to[0].x = static_cast<float>(all.sum) + all.flag + all.rest[1].y;
}

// Clusters, from 9.0 on.
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
__global__ void __cluster_dims__(4, 1, 1) cluster_of_4(int* to) {
  auto cluster = cg::this_cluster();
  cluster.sync();
  to[cluster.block_rank()] = 1;
}
__global__ void __cluster_dims__(2, 2, 1) __launch_bounds__(128) cluster_of_2_by_2(int* to) {
  __shared__ int mine;
  if (threadIdx.x == 0) mine = static_cast<int>(blockIdx.x);
  auto cluster = cg::this_cluster();
  cluster.sync();
  to[threadIdx.x] = *cluster.map_shared_rank(&mine, 1);
}
__global__ void cluster_at_launch(int* to) {
  auto cluster = cg::this_cluster();
  to[cluster.block_rank()] = static_cast<int>(cluster.num_blocks());
}
__global__ void __block_size__((128, 1, 1), (2, 1, 1)) block_of_128(int* to) { to[threadIdx.x] = 2; }
#endif
