#pragma once

#include <gdsim/analysis/run_view.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace gdsim {

/// Totals of all launches of one kernel, or of all copies of one kind. Durations are as a profiler measures them.
struct KernelUse {
  std::string name;
  bool is_copy = false;
  std::uint64_t launches = 0;
  std::uint64_t work_groups = 0;  ///< the maximum dispatched by one launch
  std::uint64_t ended = 0;        ///< ended launches; only they count below
  UInt128 sum = 0;                ///< picoseconds
  Duration longest;
  bool is_remote = false;  ///< launches of other devices, which are not counted
};

/// The kernel of a launch, or the direction of a copy: `copies to the host`.
std::string kernel_text(const LaunchRow& launch);

struct KernelUses {
  std::vector<KernelUse> kernels;      ///< in the order of their first launches
  std::vector<std::size_t> kernel_of;  ///< by launch
};

KernelUses kernel_uses(const RunView& view);

/// The lanes in which launches are drawn; empty: one for each queue, and for each direction of copies.
struct LaunchLanes {
  std::vector<std::string> of_launch;
  std::vector<std::string> order;  ///< each lane once
};

/// The launches of a run as JSON for the script of its page, sorted by their begins. If they are too many, the longest,
/// the critical ones, and the longest of the others are kept. `busy` then has, for each lane and each of 512 equal
/// parts of the run, the share of the part in which a launch runs.
std::string launch_data(const RunView& view, const LaunchLanes& lanes = {});

}  // namespace gdsim
