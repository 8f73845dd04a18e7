#!/bin/sh
# What each way of fast-forwarding saves, in instructions of a scenario that a user would write: a table on standard
# output. Fails where one does not take at least twice as much without it.
#
#   fast_paths.sh PROGRAM       PROGRAM: fast_path_runs, as it was built
set -eu
export GLIBC_TUNABLES=glibc.cpu.hwcaps=-AVX,-AVX2,-BMI2,-ERMS,-FMA

program=$1
log=$(mktemp)
trap 'rm -f "$log"' EXIT

count() {
  valgrind --tool=cachegrind --cache-sim=no --cachegrind-out-file=/dev/null "$program" "$@" 2>"$log" >/dev/null ||
    { cat "$log" >&2; exit 1; }
  sed -n "s/.*I *refs: *\([0-9,]*\).*/\1/p" "$log" | tr -d ,
}

echo "run,way,instructions,without,times"
status=0
for line in $("$program"); do
  name=${line%,*}
  with=$(count "$name")
  without=$(count "$name" without)
  echo "$line,$with,$without,$(echo "$with $without" | awk '{ printf "%.2f", $2 / $1 }')"
  [ "$without" -ge $((2 * with)) ] || status=1
done
exit $status
