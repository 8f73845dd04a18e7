#!/bin/sh
# A sweep of 10,000 points as an array of 32 shards on a real Slurm of one machine. One task is killed in the middle, and
# the node's daemon once; the script's own retry finishes. The merge must be, byte for byte, what one process writes.
#
#   tests/slurm/test.sh GDSIM
set -eu

gdsim=$(readlink -f "$1")
here=$(cd "$(dirname "$0")" && pwd)
folder=$(mktemp -d)
finish() {
  "$here/cluster.sh" stop "$folder/slurm" || true
  rm -rf "$folder"
}
trap finish EXIT
trap 'exit 1' INT TERM

say() { echo "tests/slurm: $*"; }
# wait_until SECONDS COMMAND...
wait_until() {
  left=$(($1 * 10))
  shift
  until "$@"; do
    left=$((left - 1))
    if [ "$left" -le 0 ]; then
      say "waited in vain for: $*"
      squeue || true
      tail -n 20 "$folder"/gdsim-sweep-*.log || true
      exit 1
    fi
    sleep 0.1
  done
}

cd "$folder"
cat > many.yaml <<'SCENARIO'
scenario: Many
device: a100-80gb
parameters: {a: 1, b: 1}
kernels:
  k:
    global: = 128 * (400 + a)
    local: 128
    sub_group: 32
    program: [compute: = a * 10 ns, barrier, compute: = b * 1 ns]
    variation: {distribution: uniform, cv: 0.1, seed: 1, per: thread}
launches: [kernel: k]
SCENARIO
set -- many.yaml --vary a=1..100+1 --vary b=1..100+1

say "one process"
"$gdsim" sweep "$@" -o alone.csv >/dev/null

eval "$("$here/cluster.sh" start "$folder/slurm")"
say "slurm is up: $(sinfo -h -o '%N %c CPUs %T')"
"$gdsim" sweep "$@" --slurm 32 -o all.sqlite -o all.csv > sweep.slurm
sbatch sweep.slurm >/dev/null

# A task in the middle of its work: one shard has a store, and is not done.
running_shard() {
  for store in all.shards/shard-*.sqlite; do
    number=${store#all.shards/shard-}
    number=${number%.sqlite}
    [ -s "$store" ] && [ ! -e "all.shards/shard-$number.done" ] || continue
    victim=$(pgrep -f "shard $number/32" | head -n 1) || continue
    [ -z "$victim" ] || return 0
  done
  return 1
}
wait_until 120 running_shard
say "kill -9 of the task of shard $number (process $victim)"
kill -9 "$victim"
say "kill -9 of the node's daemon, which is started again"
kill -9 "$(cat "$folder/slurm/slurmd.pid")"
"$here/cluster.sh" node "$folder/slurm"

nothing_left() { [ -e all.csv ] && [ -z "$(squeue -h 2>/dev/null)" ]; }
wait_until 600 nothing_left

retries=$(cat gdsim-sweep-*.log | grep -c 'failed; run again' || true)
say "retries by the script: $retries"
[ "$retries" -ge 1 ]
ls all.shards/shard-*.done | wc -l | grep -qx 32
cmp alone.csv all.csv
say "32 shards, one of them killed, merged: the same bytes as one process ($(wc -l < all.csv) lines)"
