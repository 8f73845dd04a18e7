#pragma once

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/import/ptx/atomic_addresses.hpp>
#include <gdsim/import/ptx/block_log.hpp>
#include <gdsim/import/ptx/ptx_launch.hpp>
#include <gdsim/import/ptx/reader/ptx_kernel.hpp>
#include <gdsim/import/ptx/trips/trip_expressions.hpp>
#include <gdsim/import/ptx/work_group_samples.hpp>

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace gdsim {

/// The conditions under which a kernel's work-groups are executed.
struct ProfileRequest {
  PtxLaunch launch;
  std::size_t l1_sectors = 0;         ///< capacity of L1 for one work-group
  std::uint64_t resident_groups = 1;  ///< at once on the device
};

/// The execution of a kernel's work-groups: of the one that executes most among some, and of the beginning of a wave of
/// work-groups.
struct KernelProfile {
  std::shared_ptr<const PreparedKernel> kernel;
  AccessWidths widths;
  std::shared_ptr<BlockLog> log;  ///< of that work-group
  std::uint64_t warps = 0;        ///< of a work-group
  std::uint64_t groups = 0;
  std::uint64_t followed_groups = 0;  ///< those whose beginning was executed, to find common accesses
  double distinct_loads = 1;          ///< distinct sectors that the wave's loads request from L2 / all of them
  double distinct_stores = 1;         ///< the same for its stores
  double loaded_footprint = 0;        ///< bytes that the whole launch loads, if later waves load others
  bool has_warm_l2 = false;           ///< L2 holds it before the launch, as far as it fits
  std::map<PtxArgument, std::uint64_t> arguments;
  LoopTrips trips;
  WorkGroupSamples samples;
  std::map<std::uint32_t, AtomicAddresses> atomics;  ///< by instruction
  std::vector<std::string> notes;
};

/// Maximum of warp instructions that are executed for one kernel.
inline constexpr std::uint64_t kMaxPtxInstructions = 100'000'000;

/// Throws InputError with everything that the kernel's PTX and the launch leave open.
KernelProfile profile_of(const PtxKernel& kernel, const ProfileRequest& request, const SourceText& source);

}  // namespace gdsim
