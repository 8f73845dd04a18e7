#!/bin/sh
# Compiles the kernels of corpus/ and keeps what the compilers made, with what they printed, in fixtures/:
#
#   make_corpus.sh [FOLDER]       (default: fixtures/ beside this script)
#
# Needs nvcc of CUDA 13, clang-14 and clang-offload-bundler-14, each for its part: a part whose compiler is not there is
# left as it is, and named. What `ptxas -v` prints is the measure by which tests judge the readers.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
out=${1:-$here/fixtures}
mkdir -p "$out"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$here/corpus"

# NVIDIA: a cubin for each architecture, all in one compressed container, two also alone; and what ptxas says of each.
# Times of compilation differ from run to run.
if command -v nvcc >/dev/null; then
  images=
  for sm in 75 80 86 89 90 100 120; do
    nvcc -std=c++17 -arch="sm_$sm" -cubin -Xptxas -v -o "$work/corpus.sm_$sm.cubin" corpus.cu 2>"$work/log"
    grep -v 'Compile time' "$work/log" >"$out/corpus.sm_$sm.ptxas.txt"
    images="$images --image3=kind=elf,sm=$sm,file=$work/corpus.sm_$sm.cubin"
  done
  # shellcheck disable=SC2086  # words
  fatbinary --create="$out/corpus.fatbin" -64 -compress-all -compress-mode=size $images
  for sm in 75 90; do cp "$work/corpus.sm_$sm.cubin" "$out"; done
  # Containers: plain with PTX, by zstd, by LZ4; an object of the host.
  cat >"$work/small.cu" <<'SMALL'
__global__ void __launch_bounds__(128) small(float* to) {
  __shared__ float tile[64];
  tile[threadIdx.x % 64] = to[threadIdx.x];
  __syncthreads();
  to[threadIdx.x] = tile[63 - threadIdx.x % 64];
}
SMALL
  cd "$work"
  for sm in 80 90; do nvcc -arch="sm_$sm" -cubin -o "small.sm_$sm.cubin" small.cu; done
  nvcc -arch=compute_90 -ptx -o small.ptx small.cu
  images="--image3=kind=elf,sm=80,file=small.sm_80.cubin --image3=kind=elf,sm=90,file=small.sm_90.cubin"
  # shellcheck disable=SC2086
  fatbinary --create="$out/small.plain.fatbin" -64 -compress=false $images --image3=kind=ptx,sm=90,file=small.ptx
  for mode in size speed; do
    # shellcheck disable=SC2086
    fatbinary --create="$out/small.$mode.fatbin" -64 -compress-all -compress-mode=$mode $images
  done
  nvcc -gencode arch=compute_80,code=sm_80 -gencode arch=compute_90,code=sm_90 -c -o "$out/small.host.o" small.cu
  # Two sources that are linked on the device: the object is not complete, the executable's image is.
  cat >"$work/first.cu" <<'FIRST'
extern __device__ float other(float* from, int i);
__global__ void calls(float* to, int i) {
  __shared__ float mine[77];
  mine[threadIdx.x % 77] = to[i];
  __syncthreads();
  to[0] = other(to, i) + mine[i];
}
FIRST
  cat >"$work/second.cu" <<'SECOND'
__device__ float other(float* from, int i) {
  __shared__ float its[10];
  its[i] = from[i];
  __syncthreads();
  return its[9 - i];
}
SECOND
  for part in first second; do nvcc -rdc=true -arch=sm_86 -c -o "$part.o" "$part.cu"; done
  nvcc -arch=sm_86 -dlink -cubin -o "$out/linked.sm_86.cubin" first.o second.o
  cp first.o "$out/to_be_linked.host.o"
  strip --strip-debug "$out/small.host.o" "$out/to_be_linked.host.o"
  cd "$here/corpus"
else
  echo "make_corpus.sh: no nvcc: the files of NVIDIA stay as they are" >&2
fi

# AMD: a code object and its assembly for each target that LLVM 14 knows, and bundles of them.
if command -v clang-14 >/dev/null; then
  bundle=
  inputs=
  for target in gfx906 gfx908 gfx90a gfx1030; do
    flags="-target amdgcn-amd-amdhsa -mcpu=$target -nogpulib -O2 -x cl -cl-std=CL2.0"
    case $target in gfx908 | gfx90a) flags="$flags -DWITH_ACCUMULATION" ;; esac
    # shellcheck disable=SC2086
    clang-14 $flags -S -o "$work/full.s" corpus_amd.cl
    # Directives and metadata: instructions are not read.
    sed -n -e '/\.amdhsa_/p' -e '/\.amdgpu_metadata/,$p' "$work/full.s" >"$out/amd.$target.s"
    # shellcheck disable=SC2086
    clang-14 $flags -o "$out/amd.$target.co" corpus_amd.cl
    bundle="$bundle,hipv4-amdgcn-amd-amdhsa--$target"
    inputs="$inputs -inputs=$out/amd.$target.co"
  done
  # shellcheck disable=SC2086
  clang-14 $flags -mcumode -o "$out/amd.gfx1030.cumode.co" corpus_amd.cl
  # Kernels whose instructions are read. The comments of the compiler have no use.
  for target in gfx90a gfx1030; do
    flags="-target amdgcn-amd-amdhsa -mcpu=$target -nogpulib -O3 -x cl -cl-std=CL2.0 -Xclang -finclude-default-header"
    case $target in gfx1030) flags="$flags -mllvm --amdhsa-code-object-version=5" ;; esac
    # shellcheck disable=SC2086
    clang-14 $flags -S -o "$work/full.s" gcn.cl
    grep -v -e '^[[:space:]]*;' -e '^[[:space:]]*\.set' -e '^[[:space:]]*\.p2align' "$work/full.s" |
      sed 's/ *;.*//' >"$out/gcn.$target.s"
  done
  : >"$work/host"
  # shellcheck disable=SC2086
  clang-offload-bundler-14 -type=o -targets="host-x86_64-unknown-linux$bundle" -inputs="$work/host" $inputs \
    -outputs="$out/amd.bundle"
else
  echo "make_corpus.sh: no clang-14: the files of AMD stay as they are" >&2
fi
du -sk "$out" | sed 's/\t.*/ KiB in all/'
