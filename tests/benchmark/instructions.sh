#!/bin/sh
# Counts the instructions of representative runs, which hardly vary from one time to the next, against those kept in
# instructions.csv: more than 5 % above fails. With --approve, what is counted is kept.
#
# Valgrind shows programs the same processor on every machine with AVX2. Without AVX2, the C library would choose other
# ways to copy and fill memory, 3 % apart: so all features that it chooses by are masked.
#
#   instructions.sh PROGRAM [--approve]       PROGRAM: instruction_runs, as it was built
set -eu
export GLIBC_TUNABLES=glibc.cpu.hwcaps=-AVX,-AVX2,-BMI2,-ERMS,-FMA

program=$1
kept=$(cd "$(dirname "$0")" && pwd)/instructions.csv
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
counted=$folder/counted.csv

# As many runs at once as there are processors; each writes what it counted, or why it could not, into a file of its own.
"$program" >"$folder/runs"
xargs -P "$(nproc)" -I RUN sh -c '
  valgrind --tool=cachegrind --cache-sim=no --cachegrind-out-file=/dev/null "$1" "$2" 2>"$3/$2.log" >/dev/null ||
    { cat "$3/$2.log" >&2; exit 1; }' - "$program" RUN "$folder" <"$folder/runs"
echo "run,instructions" >"$counted"
while read -r run; do
  sed -n "s/.*I *refs: *\([0-9,]*\).*/\1/p" "$folder/$run.log" | tr -d , | sed "s/^/$run,/" >>"$counted"
done <"$folder/runs"

if [ "${2-}" = --approve ]; then
  cp "$counted" "$kept"
  cat "$kept"
  exit 0
fi
awk -F, '
  FNR == 1 { next }
  NR == FNR { kept[$1] = $2; next }
  !($1 in kept) { printf "%-22s %13.0f  is not kept yet\n", $1, $2; bad = 1; next }
  { change = 100 * ($2 / kept[$1] - 1)
    printf "%-22s %13.0f  %+6.1f %%%s\n", $1, $2, change, (change > 5 ? "  <- more than 5 %" : "")
    if (change > 5) bad = 1 }
  END { exit bad }' "$kept" "$counted" || {
  echo "A run needs more instructions than tests/benchmark/instructions.csv allows." >&2
  echo "If that is what you want: tools/approve instructions, and say why in the commit." >&2
  exit 1
}
