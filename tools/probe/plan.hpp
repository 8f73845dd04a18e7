// The plan of all launches as values. It is made before any launch, so that it can be shown, bounded, then executed.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace probe {

/// The facts about a device that the plan needs; an assumed device without a GPU.
struct DeviceShape {
  std::string name = "assumed: 132 cores of 2048 threads";
  unsigned cores = 132, threads_per_core = 2048, blocks_per_core = 32, warp = 32;
  unsigned shared_per_core = 233472, shared_per_block = 232448, l2_bytes = 52428800;
  std::uint64_t free_bytes = std::uint64_t{80} << 30;
  double cycles_per_us = 1980;
  int major = 9, minor = 0;
  bool clusters = true;
};

enum class Body { empty, equal, drawn, memory };

inline const char* body_name(Body body) {
  constexpr const char* kNames[] = {"empty", "equal", "drawn", "memory"};
  return kNames[static_cast<int>(body)];
}

/// One launch of a kernel that logs its blocks.
struct LaunchPlan {
  Body body = Body::equal;
  unsigned blocks = 0, threads = 0, shared_bytes = 0, cluster = 1;
  bool many_registers = false, high_priority = false;
  int stream = 0;
  unsigned blocks_per_core = 0;
  double spin_us = 20;
};

/// One run: launches that belong together, repeated.
struct RunPlan {
  std::string name;
  std::vector<LaunchPlan> launches;
  unsigned repetitions = 3;
  bool graph = false, evict_before = false;
  std::string variant;          ///< selects the kernel if it logs no blocks
  std::uint64_t parameter = 0;  ///< its size or distance
  double milliseconds = 0;      ///< upper bound of the GPU time of all repetitions, for slow memories
  std::string skip;             ///< why it is left out; empty: it is executed
};

/// The maximum number of rows of blocks.csv per launch.
constexpr unsigned kMaxBlocks = 24000;

/// Bytes that a block of body `memory` reads.
constexpr std::uint64_t kMemoryBodyBytes = 32768;

/// Returns an upper bound of the GPU time of a run that logs its blocks: each wave takes its spin (a drawn one up to
/// 1.5 times that) and 5 us, memory is read at 20 GB/s or more, a launch costs at most 100 us.
inline double bound_milliseconds(const RunPlan& run, unsigned cores) {
  double us = 0;
  for (const LaunchPlan& one : run.launches) {
    const std::uint64_t at_once = std::uint64_t{cores} * (one.blocks_per_core > 0 ? one.blocks_per_core : 1);
    const double waves = static_cast<double>((one.blocks + at_once - 1) / at_once);
    us += 100 + waves * (one.spin_us * 1.5 + 5);
    if (one.body == Body::memory) us += static_cast<double>(one.blocks * kMemoryBodyBytes) / 20000;
  }
  return us * run.repetitions / 1000;
}

}  // namespace probe
