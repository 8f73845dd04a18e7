#!/bin/sh
# Plants mutants in a copy of the tree, compiles them all at once, and runs against each the tests that reach it:
# run.sh FOLDER [COUNT [SEED [WITHIN]]], WITHIN being folders and files of sources, with commas between. Called again, it
# goes on where it was. FOLDER/copy/results.json says which test noticed which mutant.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$1"
folder=$(cd "$1" && pwd)
count=${2:-150}
seed=${3:-1}
within=${4:-}
copy=$folder/copy
build=$folder/build
log=$folder/build.log
drop=
if [ ! -f "$folder/is-built" ]; then
  # Those that do not compile are taken out, until the rest does.
  while true; do
    "$here/mutants.py" plant "$copy" --count "$count" --seed "$seed" --drop "$drop" --within "$within"
    # Unchanged files keep the time of the original, so that only what is planted anew is compiled again.
    [ -f "$build/build.ninja" ] || cmake -S "$copy" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release \
      -DCMAKE_UNITY_BUILD=ON -DCMAKE_UNITY_BUILD_BATCH_SIZE=10 -DGDSIM_TESTS=ON -DGDSIM_WERROR=OFF \
      "-DCMAKE_CXX_FLAGS_RELEASE=-O1" "-DCMAKE_CXX_FLAGS=-std=c++20 -w -Wno-narrowing -include $copy/tests/mutation/mutant.hpp" >/dev/null
    if ninja -k 0 -C "$build" >"$log" 2>&1; then break; fi
    more=$("$here/mutants.py" dropped "$log" "$copy")
    if [ -z "$more" ]; then
      tail -n 40 "$log" >&2
      exit 1
    fi
    echo "do not compile, and are left out: $more"
    drop=$drop,$more
  done
  touch "$folder/is-built"
fi
"$here/mutants.py" run "$copy" --build "$build"
