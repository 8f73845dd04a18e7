#pragma once

#include <gdsim/compile/compiled_parts.hpp>
#include <gdsim/run/simulate.hpp>
#include <gdsim/workload/launch_graph.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace gdsim {

/// The device of each launch of the host, and the other devices that wait for its end.
class LaunchOwners {
 public:
  /// Throws DefectError if a launch is of no device or of several.
  explicit LaunchOwners(std::span<const CompiledParts* const> devices);

  /// Returns the number of launches of the host. Children come after them and are numbered differently on each device.
  std::size_t count() const { return owners_.size(); }
  std::uint32_t owner_of(LaunchId launch) const { return owners_[index_of(launch)]; }
  /// Returns the other devices on which something waits for the end of this launch, ascending.
  std::span<const std::uint32_t> waiting(LaunchId launch) const { return waiting_[index_of(launch)]; }

 private:
  std::vector<std::uint32_t> owners_;                ///< by launch
  std::vector<std::vector<std::uint32_t>> waiting_;  ///< by launch
};

/// Returns the graph of one device with additional waits of other devices' launches: for earlier cooperative ones, and
/// for begins of earlier ones in a hardware queue, which only their device knows. No launch may wait for a trigger.
LaunchGraph common_graph(std::span<const CompiledParts* const> devices, std::size_t device, const LaunchOwners& owners);

/// Fills the slack of every launch and the critical path of devices that ran together, up to the last end on any
/// device. Does nothing unless all of them completed and no launch waits for a trigger.
void find_common_critical_path(std::span<const CompiledParts* const> devices, const LaunchOwners& owners,
                               std::span<const Collective> collectives, std::vector<RunResult>& results);

/// Returns how the run ended. Some devices must not have completed; all of these must have ended for one reason.
Outcome common_outcome(const std::vector<RunResult>& devices);

/// Returns one record of devices that ran together: from the first begin to the last end, with sums of contexts,
/// threads and work-groups, and each launch of the host as recorded on its own device. `peak_resident` is the maximum
/// of threads on all devices at once. Data of one device, such as phases, stay empty.
RunRecord common_record(const std::vector<RunResult>& devices, const LaunchOwners& owners, std::uint64_t peak_resident);

}  // namespace gdsim
