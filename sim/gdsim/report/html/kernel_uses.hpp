#pragma once

#include <gdsim/analysis/run_view.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace gdsim {

/// What all launches of one kernel, or all copies of one kind, took together. A duration is a profiler's.
struct KernelUse {
  std::string name;
  bool is_copy = false;
  std::uint64_t launches = 0;
  std::uint64_t work_groups = 0;  ///< that the launch with most of them dispatched
  std::uint64_t ended = 0;        ///< of these; only they count below
  UInt128 sum = 0;                ///< picoseconds
  Duration longest;
  bool is_remote = false;  ///< launches of other devices, of which nothing is counted
};

/// The kernel of a launch; of a copy, its direction: `copies to the host`.
std::string kernel_text(const LaunchRow& launch);

struct KernelUses {
  std::vector<KernelUse> kernels;      ///< in the order of their first launches
  std::vector<std::size_t> kernel_of;  ///< by launch
};

KernelUses kernel_uses(const RunView& view);

}  // namespace gdsim
