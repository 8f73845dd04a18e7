#include "output/slurm_script.hpp"

#include "terminal/terminal.hpp"

#include <fmt/format.h>

namespace gdsim::cli {
namespace {

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += " " + single_quoted(word);
  return text;
}

constexpr const char* kHead = R"sh(#!/bin/sh
# A sweep of gdsim on a cluster with Slurm: `sbatch FILE` (or `sh FILE` on a login node).
# An array runs one shard per task. A job behind it runs the shards that failed again, up to three times, and merges.
# Shards lie in $shards, which every node must see; point TMPDIR and the folder at storage with working file locks.
#SBATCH --job-name=gdsim-sweep
#SBATCH --cpus-per-task=1
#SBATCH --output=gdsim-sweep-%A-%a.log
set -eu
)sh";

constexpr const char* kBody = R"sh(
submit() {  # ROUND LIST: these shards as an array, and the job behind it; prints nothing
  array=$(sbatch --parsable --array="$2" "$script" shard)
  sbatch --parsable --dependency=afterany:"${array%%;*}" --output=gdsim-sweep-%j.log "$script" finish "$1" >/dev/null
}

missing() {  # the shards that are not complete, as a list for --array
  list=
  i=1
  while [ "$i" -le "$count" ]; do
    [ -e "$shards/shard-$i.done" ] || list="$list${list:+,}$i"
    i=$((i + 1))
  done
  echo "$list"
}

script=${GDSIM_SWEEP_SCRIPT:-$0}
case ${1:-submit} in
  submit)
    mkdir -p "$shards"
    cp "$0" "$shards/sweep.slurm"  # Slurm's own copy is gone when the job is
    script=$shards/sweep.slurm
    export GDSIM_SWEEP_SCRIPT="$script"
    submit 1 "1-$count"
    ;;
  shard)
    i=$SLURM_ARRAY_TASK_ID
    sweep --jobs "${SLURM_CPUS_PER_TASK:-1}" --shard "$i/$count" --resume -o "$shards/shard-$i.sqlite"
    : > "$shards/shard-$i.done"
    ;;
  finish)
    list=$(missing)
    if [ -n "$list" ] && [ "$2" -le "$retries" ]; then
      echo "gdsim sweep: shards $list failed; run again ($2 of $retries)" >&2
      submit $(($2 + 1)) "$list"
    else
      merge
    fi
    ;;
esac
)sh";

}  // namespace

std::string slurm_script(const SlurmSweep& sweep) {
  std::string files;
  for (const std::string& output : sweep.outputs) files += " -o " + single_quoted(output);
  const std::string folder = std::filesystem::path(sweep.outputs.front()).stem().string() + ".shards";
  return kHead +
         fmt::format(
             "\ncount={}\nretries=3\nshards=${{GDSIM_SHARDS:-{}}}\n\nsweep() {{ {} sweep{} \"$@\"; }}\n"
             "merge() {{ {} sweep --merge \"$shards\"/shard-*.sqlite{}{}; }}\n",
             sweep.shards, single_quoted(folder), single_quoted(sweep.program), joined(sweep.words),
             single_quoted(sweep.program), joined(sweep.table), files) +
         kBody;
}

}  // namespace gdsim::cli
