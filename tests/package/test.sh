#!/bin/sh
# Installs BUILD into a folder of its own; there the program finds its models, and other projects find the
# library: installed, fetched, or as a folder of theirs.
#
#   tests/package/test.sh BUILD            the installed one
#   tests/package/test.sh none sources     the fetched one and the folder; compiles the library twice
#   tests/package/test.sh PREFIX consumer  what was installed into PREFIX already
set -eu

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# The command must find nothing. (`! command` alone would end no script.)
finds_nothing() {
  if "$@"; then
    echo "tests/package/test.sh: found something: $*" >&2
    exit 1
  fi
}

# The command reports a problem, and its status is 2.
ends_with_2() {
  ended=0
  "$@" 2>"$folder/problems" || ended=$?
  [ "$ended" = 2 ]
  grep -q . "$folder/problems"
}

# The consumer's programs answer what they should.
check_programs() {
  [ "$("$1/scenario" "$root/scenarios/vector_add4.yaml" "$root/models")" = "304 264 80 " ]
  [ "$("$1/umbrella")" = "launches[0].kernel: there is no kernel 3; the workload has 1, numbered from 0
2 ns" ]
  # As `gdsim occupancy` and `gdsim run` say of the same kernel.
  [ "$("$1/first_program" "$root/models")" = "8 blocks per SM
9.013 us" ]
  "$1/file_program" "$root/scenarios/vector_add4.yaml" "$root/models" >"$folder/work_groups.csv"
  [ "$(wc -l <"$folder/work_groups.csv")" = 9 ]
  "$1/file_program" "$root/scenarios/slm_too_large.yaml" "$root/nowhere" 2>"$folder/problems" && exit 1
  grep -q '^.*scenarios/slm_too_large.yaml:[0-9]*:[0-9]*: error: ' "$folder/problems"
  # What goes wrong is said, and they end with 2: nothing crashes without arguments.
  ends_with_2 "$1/first_program" "$root/nowhere"
  ends_with_2 "$1/file_program"
  [ "$("$1/watcher")" = "1 70 140 140 140 140" ]
  "$1/examples"
  # Who only simulates links nothing that reads files or keeps results.
  ldd "$1/umbrella" >"$folder/umbrella.libraries"
  finds_nothing grep -E 'yaml|muparser|sqlite|lz4|zstd' "$folder/umbrella.libraries"
}

# The examples in the comments of public headers are one more program of theirs.
# shellcheck disable=SC2046  # names are words
examples() { awk -f "$here/examples.awk" $(sed -n 's#^  \(gdsim/.*hpp\)$#'"$root"'/sim/\1#p' "$root/sim/CMakeLists.txt"); }

# The programs that the library's README shows, by their numbers from 1.
program_of_readme() {
  awk -v wanted="$1" '/^```cpp$/ { inside = ++found == wanted; next } /^```$/ { inside = 0 } inside' "$root/sim/README.md"
}

# Configures and builds the consumer; what CMake says must not speak of gdsim's own business.
build_consumer() {
  name=$1
  shift
  examples >"$folder/examples.cpp"
  program_of_readme 1 >"$folder/first_program.cpp"
  program_of_readme 2 >"$folder/file_program.cpp"
  cmake -S "$here" -B "$folder/$name" -G Ninja -DGDSIM_EXAMPLES="$folder/examples.cpp" \
    -DGDSIM_FIRST_PROGRAM="$folder/first_program.cpp" -DGDSIM_FILE_PROGRAM="$folder/file_program.cpp" "$@" >/dev/null 2>"$folder/$name.log"
  [ ! -s "$folder/$name.log" ] || { cat "$folder/$name.log"; exit 1; }
  cmake --build "$folder/$name" >"$folder/$name.log" 2>&1 || { cat "$folder/$name.log"; exit 1; }
  check_programs "$folder/$name"
}

if [ "${2-}" = sources ]; then
  build_consumer fetched -DGDSIM_FROM=fetch -DGDSIM_SOURCE="$root" -DCMAKE_UNITY_BUILD=ON
  build_consumer added -DGDSIM_FROM=subdirectory -DGDSIM_SOURCE="$root" -DCMAKE_UNITY_BUILD=ON
  # GDSIM_WERROR is off there, and nothing is installed by default.
  finds_nothing grep -q -- -Werror "$folder/fetched/build.ninja"
  cmake --install "$folder/fetched" --prefix "$folder/nothing" >/dev/null
  [ ! -e "$folder/nothing/include/gdsim" ]
  exit 0
fi

if [ "${2-}" = consumer ]; then
  build_consumer packaged -DGDSIM_FROM=library -DCMAKE_PREFIX_PATH="$(cd "$1" && pwd)"
  exit 0
fi

build=$(cd "$1" && pwd)
cmake --install "$build" --prefix "$folder/usr" >/dev/null
share=$folder/usr/share/gdsim
cd "$folder"

# The source tree's models would do as well: only what is installed may be found, and no path of the source is built in.
usr/bin/gdsim check "$share/scenarios/vector_add4.yaml"
[ "$(usr/bin/gdsim devices xe-lp-tgl --models "$share/models" | grep -c xe-lp-tgl)" -gt 0 ]
usr/bin/gdsim devices a100-80gb --models "$share/models" | grep -q "^  a100-80gb .*read bandwidth by threads"
# shellcheck disable=SC2046  # names are words
finds_nothing grep -q -F "$root/" usr/bin/gdsim $(find usr -name 'libgdsim_*.a') $(find usr -name "gdsim-*-targets.cmake")

# The umbrella brings 29,600 lines more than <vector>, with g++ 12: half of them are <memory>, for pointers that every
# reader knows; each further header that is long to compile adds 3,000 or more.
lines() { echo "#include <$1>" | "${CXX:-c++}" -std=c++20 -I usr/include -E -P -x c++ - | wc -l; }
[ $(($(lines gdsim/gdsim.hpp) - $(lines vector))) -le 31000 ]

# Details are not installed.
[ "$(find usr/include/gdsim -name '*.hpp' | wc -l)" -le 26 ]
[ ! -e usr/include/gdsim/model ]

build_consumer installed -DGDSIM_FROM=install -DCMAKE_PREFIX_PATH="$folder/usr"
usr/bin/gdsim run "$root/scenarios/vector_add4.yaml" --print work-groups | cmp - work_groups.csv

# Without CMake: what pkg-config says is enough, wherever the folder was put.
mv usr elsewhere
PKG_CONFIG_PATH=$(dirname "$(find "$folder/elsewhere" -name gdsim-sim.pc)")
export PKG_CONFIG_PATH
# shellcheck disable=SC2046  # options are words
"${CXX:-c++}" -std=c++20 "$here/umbrella.cpp" $(pkg-config --cflags --libs gdsim-sim) -o umbrella
./umbrella | tail -1 | grep -q '^2 ns$'
# shellcheck disable=SC2046
"${CXX:-c++}" -std=c++20 first_program.cpp $(pkg-config --cflags --libs gdsim-scenario) -o saxpy
[ "$(./saxpy "$root/models")" = "8 blocks per SM
9.013 us" ]
finds_nothing pkg-config --exists gdsim-study

# A component needs what it links itself: where pkg-config knows no library, gdsim::sim is found, and nothing above it.
component() {
  PKG_CONFIG_LIBDIR=/nowhere PKG_CONFIG_PATH='' cmake -S "$here" -B "$folder/component-$1" -G Ninja \
    -DGDSIM_FROM="component-$1" -DCMAKE_PREFIX_PATH="$folder/elsewhere" >/dev/null 2>"$folder/component.log"
}
component sim
cmake --build "$folder/component-sim" >"$folder/component.log" 2>&1 || { cat "$folder/component.log"; exit 1; }
"$folder/component-sim/umbrella" | tail -1 | grep -q '^2 ns$'
finds_nothing component scenario
tr -s ' \n' ' ' <"$folder/component.log" | grep -q "gdsim::scenario needs yaml-0.1, which pkg-config does not find"
finds_nothing component simulator
tr -s ' \n' ' ' <"$folder/component.log" | grep -q "gdsim has no component 'simulator': there are sim, report, scenario, core"

# From sources, too: without GDSIM_SCENARIO, nothing is looked for that only reading files needs.
PKG_CONFIG_LIBDIR=/nowhere PKG_CONFIG_PATH='' cmake -S "$here" -B "$folder/values" -G Ninja -DGDSIM_FROM=values \
  -DGDSIM_SOURCE="$root" >/dev/null 2>"$folder/values.log" || { cat "$folder/values.log"; exit 1; }

# The library alone, without the command line, has the models that programs ask for by name.
cmake --install "$build" --prefix "$folder/core" --component core >/dev/null
[ ! -e "$folder/core/bin" ]
[ "$("$folder/installed/first_program" "$folder/core/share/gdsim/models")" = "8 blocks per SM
9.013 us" ]

# A build of the program alone (tools/run) is installed without its documents, and CMake says so.
cmake -S "$root" -B "$folder/program" -G Ninja -DCMAKE_BUILD_TYPE=Release >/dev/null
for made in sim/libgdsim_sim.a sim/libgdsim_report.a sim/libgdsim_scenario.a tools/gdsim; do
  cp "$build/$made" "$folder/program/$made"
done
cmake --install "$folder/program" --prefix "$folder/alone" >"$folder/alone.log"
grep -q 'without man pages and completions' "$folder/alone.log"
[ ! -e "$folder/alone/share/man" ]
"$folder/alone/bin/gdsim" run "$folder/alone/share/gdsim/scenarios/vector_add4.yaml"
[ -e "$folder/elsewhere/share/man/man1" ]
