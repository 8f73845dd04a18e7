#!/bin/sh
# Compiles tools/probe with nvcc and with hipcc, where they are, and runs what runs without a GPU: the layout and the list
# of experiments must be those of the emulation, the plan must take less than a minute, measuring must say what is missing.
#
#   tests/probe/compile.sh EMULATED FOLDER
set -eu

emulated=$1
folder=$2
source=$(cd "$(dirname "$0")/../../tools/probe" && pwd)/probe.cu
mkdir -p "$folder"
"$emulated" --layout >"$folder/layout"
"$emulated" --list >"$folder/list"

same_as_emulated() { # PROGRAM
  "$1" --layout | cmp - "$folder/layout"
  "$1" --list | cmp - "$folder/list"
  "$1" --dry-run >"$1.plan"
  tail -n 1 "$1.plan" | awk '$2 != "at" || $4 >= 60 { print "the plan takes too long: " $0; exit 1 }'
  # A machine with a GPU measures the shortest experiment; one without says so.
  if grep -q '^# no GPU' "$1.plan"; then
    if "$1" --output "$1.tables" 2>"$1.err"; then echo "$1 measured without a GPU"; exit 1; fi
    grep -q 'no GPU' "$1.err"
  else
    rm -rf "$1.tables"
    "$1" --output "$1.tables" --only barrier
  fi
}

compiled=
nvcc=$(command -v nvcc || ls "${CUDA_HOME:-/usr/local/cuda}/bin/nvcc" 2>/dev/null || true)
if [ -n "$nvcc" ]; then
  # The oldest and the newest device that this compiler knows, and the first with clusters, if it does.
  known=$("$nvcc" --list-gpu-arch | sed 's/compute_//' | sort -n)
  for capability in $(echo "$known" | head -n 1) 90 $(echo "$known" | tail -n 1); do
    echo "$known" | grep -qx "$capability" || continue
    "$nvcc" -O3 -std=c++17 "-arch=sm_$capability" -Xcompiler -Wall,-Wextra,-Werror -Werror all-warnings \
      -o "$folder/probe-cuda-$capability" "$source"
    same_as_emulated "$folder/probe-cuda-$capability"
    compiled="$compiled sm_$capability"
  done
else
  echo "tools/test: no nvcc here: the CUDA version was not compiled"
fi

if command -v hipcc >/dev/null; then
  for architecture in gfx90a gfx940 gfx1030; do
    hipcc -O3 -std=c++17 -x hip "--offload-arch=$architecture" -Wall -Wextra -Werror \
      -o "$folder/probe-hip-$architecture" "$source" 2>"$folder/hipcc.log" || { cat "$folder/hipcc.log"; exit 1; }
    same_as_emulated "$folder/probe-hip-$architecture"
    compiled="$compiled $architecture"
  done
  # Debian 12 has no device library for gfx11 to link, and its clang 15 writes instructions for gfx11 that its assembler
  # refuses: as far as assembly text.
  hipcc -O3 -std=c++17 -x hip --offload-arch=gfx1100 -nogpulib --cuda-device-only -S \
    -o "$folder/probe-hip-gfx1100.s" "$source" 2>"$folder/hipcc.log" || { cat "$folder/hipcc.log"; exit 1; }
  compiled="$compiled gfx1100 (assembly text only)"
else
  echo "tools/test: no hipcc here (tools/setup hip): the HIP version was not compiled"
fi
echo "tools/test: the probe compiles for:${compiled:- nothing but the emulation}"
