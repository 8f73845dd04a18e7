#pragma once

#include <gdsim/scenario/scenario.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace gdsim {

/// Returns true if some `issue` step of the scenario accesses L1.
bool has_l1_accesses(const Scenario& scenario);

/// Returns the step for a thread that does not share issue slots: it has the same duration alone, and the same use of
/// the pipe. The device must have `l1` and a clock.
Step with_own_issue_slots(const IssueSlots& issue, const Kernel& kernel, const DeviceSpec& device);

/// Makes accesses to L1 last as long as they do alone, without sharing the pipe. Returns true if there are any.
bool give_own_pipes(Scenario& changed);

/// An instruction of a kernel's source text whose accesses would occupy fewer lines of L1 if neighbouring work-items
/// accessed neighbouring addresses.
struct ScatteredAccess {
  KernelId kernel{};
  std::uint32_t source_line = 0;
  std::string instruction;
  // Counts for one thread in the steps of a program, each step once.
  std::uint64_t requests = 0;
  std::uint64_t lines = 0;
  std::uint64_t coalesced = 0;       ///< lines, if neighbouring work-items accessed neighbouring addresses
  std::uint64_t excess_sectors = 0;  ///< sectors that leave L1 now and would not then
};

/// Returns the scattered accesses by kernel, then source line and instruction; at most `max` of each kernel, those
/// whose lines would fall most.
std::vector<ScatteredAccess> scattered_accesses(const Scenario& scenario, std::size_t max);

/// Gives the access its coalesced lines, and removes its excess sectors. The last level of the memory serves as much as
/// before, but no more than all that is moved. Returns true if the kernel has the access.
bool coalesce(Kernel& kernel, const ScatteredAccess& access, const DeviceSpec& device);

}  // namespace gdsim
