#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace gdsim::cli {

/// What a batch script is to do.
struct SlurmSweep {
  std::string program;             ///< path of gdsim
  std::vector<std::string> words;  ///< of the sweep: scenario and options, without -o, --slurm and what is of the merge
  std::vector<std::string> outputs;  ///< of the merge
  std::vector<std::string> table;    ///< options of the merge: how its tables are ranked and shown
  std::uint64_t shards = 1;
};

/// A batch script for Slurm: an array with a task per shard; behind it a job that runs again what failed, up to three
/// times, and merges. It submits itself: `sbatch FILE` or `sh FILE`.
std::string slurm_script(const SlurmSweep& sweep);

}  // namespace gdsim::cli
