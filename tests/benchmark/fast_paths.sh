#!/bin/sh
# What each way of fast-forwarding saves, in instructions of a scenario that a user would write: a table on standard
# output. Fails where one does not take at least twice as much without it.
#
#   fast_paths.sh PROGRAM       PROGRAM: fast_path_runs, as it was built
set -eu
export GLIBC_TUNABLES=glibc.cpu.hwcaps=-AVX,-AVX2,-BMI2,-ERMS,-FMA

program=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# As many runs at once as there are processors; each writes what it counted, or why it could not, into a file of its own.
"$program" >"$folder/lines"
sed 's/,[^,]*$//' "$folder/lines" | sed 'p; s/$/ without/' >"$folder/runs"
xargs -P "$(nproc)" -I RUN sh -c '
  # shellcheck disable=SC2086  # a run may have the word `without`
  valgrind --tool=cachegrind --cache-sim=no --cachegrind-out-file=/dev/null "$1" $2 2>"$3/$2.log" >/dev/null ||
    { cat "$3/$2.log" >&2; exit 1; }' - "$program" RUN "$folder" <"$folder/runs"

counted() {
  sed -n "s/.*I *refs: *\([0-9,]*\).*/\1/p" "$folder/$1.log" | tr -d ,
}
echo "run,way,instructions,without,times"
status=0
while read -r line; do
  name=${line%,*}
  with=$(counted "$name")
  without=$(counted "$name without")
  echo "$line,$with,$without,$(echo "$with $without" | awk '{ printf "%.2f", $2 / $1 }')"
  [ "$without" -ge $((2 * with)) ] || status=1
done <"$folder/lines"
exit $status
