#!/bin/sh
# Makes the six scenarios beside it from a file of PTX and what `ptxas -v` prints of it:
#
#   make.sh GDSIM FOLDER [FILE.ptx FILE.txt]     (default: sgemm.cu is compiled by nvcc and ptxas of CUDA 13.0)
#
# A matrix multiplication of 1536 x 1536 x 128: small enough to run in seconds, large enough to fill the device.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
gdsim=$(realpath "$1")
out=$(realpath "$2")
if [ $# -ge 4 ]; then
  ptx=$(realpath "$3")
  resources=$(realpath "$4")
else
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  ptx=$work/sgemm.ptx
  resources=$work/sgemm.ptxas.txt
  nvcc -arch=sm_86 -ptx -o "$ptx" "$here/sgemm.cu"
  ptxas -v -arch=sm_86 -o "$work/sgemm.cubin" "$ptx" 2>"$resources"
fi

cd "$(dirname "$ptx")" # the scenarios name the file, not its folder
ptx=$(basename "$ptx")

# make NAME TILE BLOCK WHAT
make() {
  side=$((1536 / $2))
  {
    echo "# yaml-language-server: \$schema=../scenario.schema.json"
    echo "#"
    echo "# Why is version 4 faster? A matrix multiplication in six versions, each imported from what nvcc made of it."
    echo "# $4"
    echo "#"
    echo "# Source: scenarios/compiled/sgemm.cu, kernel $1, compiled by CUDA 13.0 for sm_86; scenarios/compiled/make.sh"
    "$gdsim" import "$ptx" --program --cubin "$resources" --kernel "^$1\$" --device rtx-a6000 \
      --grid "$side,$side" --block "$3" --arg 0=1536,1=1536,2=128
  } >"$out/sgemm_$1.yaml"
}

make naive 32 1024 "1: neighbours compute rows: a load of A touches 32 sectors, and L1 works on each line."
make coalesced 32 1024 "2: neighbours compute columns: 4 sectors, and one line, per load."
make tiled 32 1024 "3: tiles in shared memory: ptxas joins loads of A, so there are fewer of them."
make tiled_1d 64 512 "4: 8 results per work-item: one load of B serves 8 multiply-adds."
make tiled_2d 128 256 "5: 8 x 8 results: one load serves 8 multiply-adds on both sides."
make vectorised 128 256 "6: A lies transposed: loads of 16 bytes without conflicts, and a store of four numbers."
