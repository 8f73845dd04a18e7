#pragma once

#include <gdsim/scenario/read_scenario.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace gdsim {

/// Some `issue` step of the scenario accesses L1.
bool has_l1_accesses(const Scenario& scenario);

/// The step as it is if others take no issue slots from its thread: it lasts as long, and needs as much of the pipe.
/// The device has `l1` and a clock.
Step with_own_issue_slots(const IssueSlots& issue, const Kernel& kernel, const DeviceSpec& device);

/// Accesses to L1 last as long as they do alone, and take nothing of the pipe from others. True if there are any.
bool give_own_pipes(Scenario& changed);

/// An instruction of a kernel's source text whose accesses would occupy fewer lines of L1 if neighbouring work-items
/// accessed neighbouring addresses.
struct ScatteredAccess {
  KernelId kernel{};
  std::uint32_t source_line = 0;
  std::string instruction;
  // Of one thread in the steps of a program, each step once.
  std::uint64_t requests = 0;
  std::uint64_t lines = 0;
  std::uint64_t coalesced = 0;       ///< lines, if neighbouring work-items accessed neighbouring addresses
  std::uint64_t excess_sectors = 0;  ///< that leave L1, and then would not
};

/// By kernel, then source line and instruction; at most `max` of each kernel, those whose lines would fall most.
std::vector<ScatteredAccess> scattered_accesses(const Scenario& scenario, std::size_t max);

/// The access of this line has its coalesced lines, and its excess sectors are not moved. What the last level of the
/// memory serves does not fall, as long as it is not more than all that is moved. True if the access is there.
bool coalesce(Kernel& kernel, const ScatteredAccess& access, const DeviceSpec& device);

}  // namespace gdsim
