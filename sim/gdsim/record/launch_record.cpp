#include <gdsim/record/launch_record.hpp>

namespace gdsim {

std::string_view name_of(WaitReason reason) {
  constexpr std::array<std::string_view, kWaitReasonCount> names{
      "host",      "launch_latency", "predecessors", "other_launches",   "launch_cost", "dispatch_interval",
      "ports",     "core_sharing",   "contexts",     "work_group_slots", "slm",         "barriers",
      "registers", "context_ranges", "cluster_room", "partition"};
  return names[static_cast<std::size_t>(reason)];
}

}  // namespace gdsim
