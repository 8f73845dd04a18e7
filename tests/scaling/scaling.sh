#!/bin/sh
# Counts the instructions of runs in which one key of a scenario is repeated N, 2 N and 4 N times, and holds them to
# bounds: see judge.hpp. Fails where a bound is exceeded or a run ends as it should not.
#
#   scaling.sh PROGRAM short|all [WORD]       PROGRAM: scaling_runs, as it was built; WORD: of keys with it in their name
#
# GDSIM_SCALING_TABLE names a file to write all counts to, as CSV; GDSIM_SCALING_KEEP a folder that keeps the scenarios.
#
# One process under Valgrind forks one for each run: what Valgrind has translated once serves them all. Each prints what
# it has counted since the first one began, which start-up is subtracted from.
set -eu
export GLIBC_TUNABLES=glibc.cpu.hwcaps=-AVX,-AVX2,-BMI2,-ERMS,-FMA

program=$1
folder=${GDSIM_SCALING_KEEP-}
if [ -z "$folder" ]; then
  folder=$(mktemp -d)
  trap 'rm -rf "$folder"' EXIT
fi
mkdir -p "$folder"

"$program" write "$folder" "$2" "${3-}"
valgrind --tool=cachegrind --cache-sim=no --cachegrind-out-file=/dev/null --log-file="$folder/counted" \
  "$program" measure "$folder" "$(nproc)" >"$folder/ended" 2>"$folder/said" || { cat "$folder/said" >&2; exit 1; }

# A run that does not end as it should is a failure, and its row is not judged.
bad=0
awk -F, '$2 != 0 { print "ended with status " $2 ": " $3 ", " $4 ", " $5; bad = 1 }
  END { exit bad }' "$folder/ended" || bad=1
[ "$bad" = 0 ] || tail -n 20 "$folder/said" >&2

# Process numbers may come again: the first count of a process is that of the first run that it was.
awk -F, '
  FILENAME == ARGV[1] {
    if (/I +refs:/) { process = $0; sub(/^==/, "", process); sub(/==.*/, "", process)
                      count = $0; sub(/.*: */, "", count); gsub(/,/, "", count)
                      counts[process, ++last[process]] = count }
    next
  }
  FILENAME == ARGV[2] { row = $3 "," $4; ended[++lines] = $0; if ($2 != 0) is_bad[row] = 1 }
  END {
    for (i = 1; i <= lines; ++i) {
      split(ended[i], cells, ",")
      row = cells[3] "," cells[4]
      # A process that was killed has counted nothing.
      count = cells[2] == 128 ? "" : counts[cells[1], ++used[cells[1]]]
      if (!(row in is_bad)) print row "," cells[5] "," cells[6] "," count
    }
  }' "$folder/counted" "$folder/ended" >"$folder/counts.csv"

"$program" judge "$folder/counts.csv" ${GDSIM_SCALING_TABLE:+"$GDSIM_SCALING_TABLE"} || {
  [ $? = 1 ] || exit 1
  bad=1
  echo "Something takes more instructions than it may: tests/scaling/judge.hpp." >&2
}
exit "$bad"
