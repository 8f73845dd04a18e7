#pragma once

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/import/amd/gcn/gcn_log.hpp>
#include <gdsim/import/amd/gcn/gcn_program.hpp>
#include <gdsim/import/ptx/ptx_launch.hpp>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace gdsim {

/// Waves of a work-group that do the same, as far as control flow and requests show.
struct GcnWaveClass {
  GcnWaveCounts counts;  ///< of all of them
  std::vector<std::uint32_t> waves;
};

/// The execution of a kernel's work-groups.
struct GcnProfile {
  GcnProgram program;
  std::vector<GcnWaveClass> classes;  ///< of one work-group, in the order of their first waves
  std::uint64_t waves = 0;            ///< of a work-group
  std::uint64_t groups = 0;
  std::uint64_t followed_groups = 1;
  double distinct_loads = 1;   ///< distinct lines that followed work-groups load from L2 / all of them
  double distinct_stores = 1;  ///< the same for stored sectors
  /// By instruction, of atomic accesses to global memory: such a number of addresses that each is accessed as often as
  /// the one that is accessed most often.
  std::map<std::uint32_t, std::uint64_t> atomic_addresses;
  std::vector<std::string> notes;
  std::string reason;  ///< unless empty, why no program stands for all work-groups

  /// Returns the counts of all waves of the work-group.
  GcnWaveCounts total() const;
};

/// Maximum of instructions of waves that are executed for one kernel.
inline constexpr std::uint64_t kMaxGcnExecuted = 20'000'000;

/// Executes some work-groups. `resident` of them are on the device at once. Throws InputError with everything that code
/// and launch leave open, and if more than `max_instructions` of one work-group are executed.
GcnProfile gcn_profile_of(const GcnKernel& kernel, const PtxLaunch& launch, const GcnCaches& caches,
                          std::uint64_t resident, const SourceText& source,
                          std::uint64_t max_instructions = kMaxGcnExecuted);

}  // namespace gdsim
