// C = A x B, row-major matrices of M x K, K x N and M x N single-precision numbers; each version changes one thing.
// Sizes are multiples of the tiles: no version guards its accesses.
#include <cstdint>

// 1: neighbouring work-items compute neighbouring rows.
extern "C" __global__ void naive(int M, int N, int K, const float* A, const float* B, float* C) {
  const int row = blockIdx.x * 32 + threadIdx.x % 32;
  const int column = blockIdx.y * 32 + threadIdx.x / 32;
  float sum = 0;
  for (int k = 0; k < K; ++k) sum += A[row * K + k] * B[k * N + column];
  C[row * N + column] = sum;
}

// 2: neighbouring work-items compute neighbouring columns.
extern "C" __global__ void coalesced(int M, int N, int K, const float* A, const float* B, float* C) {
  const int row = blockIdx.x * 32 + threadIdx.x / 32;
  const int column = blockIdx.y * 32 + threadIdx.x % 32;
  float sum = 0;
  for (int k = 0; k < K; ++k) sum += A[row * K + k] * B[k * N + column];
  C[row * N + column] = sum;
}

// 3: tiles of A and B are read once for the block, into shared memory.
extern "C" __global__ void tiled(int M, int N, int K, const float* A, const float* B, float* C) {
  constexpr int kTile = 32;
  __shared__ float a[kTile * kTile];
  __shared__ float b[kTile * kTile];
  const int row = threadIdx.x / kTile;
  const int column = threadIdx.x % kTile;
  A += blockIdx.x * kTile * K;
  B += blockIdx.y * kTile;
  C += blockIdx.x * kTile * N + blockIdx.y * kTile;
  float sum = 0;
  for (int begin = 0; begin < K; begin += kTile) {
    a[row * kTile + column] = A[row * K + column];
    b[row * kTile + column] = B[row * N + column];
    __syncthreads();
    A += kTile;
    B += kTile * N;
    for (int k = 0; k < kTile; ++k) sum += a[row * kTile + k] * b[k * kTile + column];
    __syncthreads();
  }
  C[row * N + column] = sum;
}

// 4: each work-item computes 8 rows of a column: a value of B serves 8 multiply-adds.
extern "C" __global__ void tiled_1d(int M, int N, int K, const float* A, const float* B, float* C) {
  constexpr int kRows = 64, kColumns = 64, kDepth = 8, kOwn = 8;
  __shared__ float a[kRows * kDepth];
  __shared__ float b[kDepth * kColumns];
  const int column = threadIdx.x % kColumns;
  const int row = threadIdx.x / kColumns;
  A += blockIdx.y * kRows * K;
  B += blockIdx.x * kColumns;
  C += blockIdx.y * kRows * N + blockIdx.x * kColumns;
  const int a_column = threadIdx.x % kDepth, a_row = threadIdx.x / kDepth;
  const int b_column = threadIdx.x % kColumns, b_row = threadIdx.x / kColumns;
  float sums[kOwn] = {};
  for (int begin = 0; begin < K; begin += kDepth) {
    a[a_row * kDepth + a_column] = A[a_row * K + a_column];
    b[b_row * kColumns + b_column] = B[b_row * N + b_column];
    __syncthreads();
    A += kDepth;
    B += kDepth * N;
#pragma unroll
    for (int k = 0; k < kDepth; ++k) {
      const float of_b = b[k * kColumns + column];
      for (int i = 0; i < kOwn; ++i) sums[i] += a[(row * kOwn + i) * kDepth + k] * of_b;
    }
    __syncthreads();
  }
  for (int i = 0; i < kOwn; ++i) C[(row * kOwn + i) * N + column] = sums[i];
}

// 5: each work-item computes 8 x 8: values of A and B in registers serve 8 multiply-adds each.
extern "C" __global__ void __launch_bounds__(256) tiled_2d(int M, int N, int K, const float* A, const float* B, float* C) {
  constexpr int kRows = 128, kColumns = 128, kDepth = 8, kOwn = 8;
  __shared__ float a[kRows * kDepth];
  __shared__ float b[kDepth * kColumns];
  const int column = threadIdx.x % (kColumns / kOwn);
  const int row = threadIdx.x / (kColumns / kOwn);
  A += blockIdx.y * kRows * K;
  B += blockIdx.x * kColumns;
  C += blockIdx.y * kRows * N + blockIdx.x * kColumns;
  const int a_column = threadIdx.x % kDepth, a_row = threadIdx.x / kDepth;
  const int b_column = threadIdx.x % kColumns, b_row = threadIdx.x / kColumns;
  float sums[kOwn * kOwn] = {};
  float of_a[kOwn], of_b[kOwn];
  for (int begin = 0; begin < K; begin += kDepth) {
    for (int i = 0; i < kRows; i += 256 / kDepth)
      a[(a_row + i) * kDepth + a_column] = A[(a_row + i) * K + a_column];
    for (int i = 0; i < kDepth; i += 256 / kColumns)
      b[(b_row + i) * kColumns + b_column] = B[(b_row + i) * N + b_column];
    __syncthreads();
    A += kDepth;
    B += kDepth * N;
#pragma unroll
    for (int k = 0; k < kDepth; ++k) {
      for (int i = 0; i < kOwn; ++i) of_a[i] = a[(row * kOwn + i) * kDepth + k];
      for (int i = 0; i < kOwn; ++i) of_b[i] = b[k * kColumns + column * kOwn + i];
      for (int i = 0; i < kOwn; ++i)
        for (int j = 0; j < kOwn; ++j) sums[i * kOwn + j] += of_a[i] * of_b[j];
    }
    __syncthreads();
  }
  for (int i = 0; i < kOwn; ++i)
    for (int j = 0; j < kOwn; ++j) C[(row * kOwn + i) * N + column * kOwn + j] = sums[i * kOwn + j];
}

// 6: four numbers at a time, from and to global memory; A is stored transposed, so that shared memory is read so, too.
extern "C" __global__ void __launch_bounds__(256) vectorised(int M, int N, int K, const float* A, const float* B, float* C) {
  constexpr int kRows = 128, kColumns = 128, kDepth = 8, kOwn = 8;
  __shared__ float a[kDepth * kRows];
  __shared__ float b[kDepth * kColumns];
  const int column = threadIdx.x % (kColumns / kOwn);
  const int row = threadIdx.x / (kColumns / kOwn);
  A += blockIdx.y * kRows * K;
  B += blockIdx.x * kColumns;
  C += blockIdx.y * kRows * N + blockIdx.x * kColumns;
  const int a_column = threadIdx.x % (kDepth / 4), a_row = threadIdx.x / (kDepth / 4);
  const int b_column = threadIdx.x % (kColumns / 4), b_row = threadIdx.x / (kColumns / 4);
  float sums[kOwn * kOwn] = {};
  float of_a[kOwn], of_b[kOwn];
  for (int begin = 0; begin < K; begin += kDepth) {
    const float4 four = *reinterpret_cast<const float4*>(&A[a_row * K + a_column * 4]);
    a[(a_column * 4 + 0) * kRows + a_row] = four.x;
    a[(a_column * 4 + 1) * kRows + a_row] = four.y;
    a[(a_column * 4 + 2) * kRows + a_row] = four.z;
    a[(a_column * 4 + 3) * kRows + a_row] = four.w;
    *reinterpret_cast<float4*>(&b[b_row * kColumns + b_column * 4]) =
        *reinterpret_cast<const float4*>(&B[b_row * N + b_column * 4]);
    __syncthreads();
    A += kDepth;
    B += kDepth * N;
#pragma unroll
    for (int k = 0; k < kDepth; ++k) {
      for (int i = 0; i < kOwn; ++i) of_a[i] = a[k * kRows + row * kOwn + i];
      for (int i = 0; i < kOwn; ++i) of_b[i] = b[k * kColumns + column * kOwn + i];
      for (int i = 0; i < kOwn; ++i)
        for (int j = 0; j < kOwn; ++j) sums[i * kOwn + j] += of_a[i] * of_b[j];
    }
    __syncthreads();
  }
  for (int i = 0; i < kOwn; ++i)
    for (int j = 0; j < kOwn; j += 4)
      *reinterpret_cast<float4*>(&C[(row * kOwn + i) * N + column * kOwn + j]) =
          make_float4(sums[i * kOwn + j], sums[i * kOwn + j + 1], sums[i * kOwn + j + 2], sums[i * kOwn + j + 3]);
}
