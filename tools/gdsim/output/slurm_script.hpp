#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace gdsim::cli {

/// The task of a batch script.
struct SlurmSweep {
  std::string program;             ///< path of gdsim
  std::vector<std::string> words;  ///< of the sweep: scenario and options, without -o, --slurm and options of the merge
  std::vector<std::string> outputs;  ///< of the merge
  std::vector<std::string> table;    ///< options of the merge: how its tables are ranked and shown
  std::uint64_t shards = 1;
};

/// Returns a batch script for Slurm: an array with a task per shard, then a job that repeats failed tasks up to three
/// times and merges. The script submits itself: `sbatch FILE` or `sh FILE`.
std::string slurm_script(const SlurmSweep& sweep);

}  // namespace gdsim::cli
