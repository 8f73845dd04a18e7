#!/bin/sh
# Feeds every target for a while: run.sh FOLDER SECONDS, where FOLDER holds the libFuzzer programs and gdsim.dict. What
# is found stays in FOLDER/found, and the exit status is not 0. What was learnt stays in FOLDER/learnt: the next call
# goes on from there.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
folder=$1
targets="scenario device measured occupancy compiled placement_log profile"
each=$(($2 / 8))
[ "$each" -gt 0 ] || each=1
"$here/seeds.sh" "$folder/seeds"
mkdir -p "$folder/found"
failed=0
for target in $targets; do
  mkdir -p "$folder/learnt/$target"
  log=$folder/$target.log
  if "$folder/fuzz_$target" -dict="$folder/gdsim.dict" -max_len=3000 -timeout=60 -rss_limit_mb=3000 \
    -malloc_limit_mb=1500 -max_total_time="$each" -print_final_stats=1 -reload=0 \
    -artifact_prefix="$folder/found/$target-" "$folder/learnt/$target" "$folder/seeds/$target" >"$log" 2>&1 </dev/null
  then
    echo "fuzz: $target: $(sed -n 's/^stat::number_of_executed_units: *//p' "$log") executions"
  else
    failed=1
    echo "fuzz: $target found something; $folder/found has the input" >&2
    tail -n 40 "$log" >&2
  fi
done
exit $failed
