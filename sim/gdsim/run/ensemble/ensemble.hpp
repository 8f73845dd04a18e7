#pragma once

#include <gdsim/base/in_order.hpp>
#include <gdsim/compile/compile.hpp>
#include <gdsim/compile/compiled_parts.hpp>
#include <gdsim/run/internal_run_options.hpp>
#include <gdsim/run/simulate.hpp>
#include <gdsim/workload/launch_graph.hpp>
#include <gdsim/workload/workload.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

// Rule, to the picosecond: several devices.
//
// One host submits the launches of all devices, one after the other, in their common order. Events of one instant are
// handled in the order of ranks on all devices together: the lowest rank that is pending on any device goes first, on
// each device that has it. A launch that has ended counts on every device as ended at that instant, with the rank of a
// copy's end; a launch that waits for a launch of another device is ready one `dependency_gap` of its own device later.
// Each device has queues of its own: a queue that is in order keeps launches of one device in order. The run of a
// device ends with its own last launch.

namespace gdsim {

/// The results of devices that ran together, and one record of all of them (common_record()).
struct EnsembleResult {
  std::vector<RunResult> devices;
  RunRecord all;
};

/// `together`: devices go through every instant together, so that an observer of several devices sees instants in the
/// order of time. `apart`: each device advances alone as far as no other can affect it, on its own thread if that pays.
/// The results are the same.
enum class Pace : std::uint8_t { apart, together };

/// Devices that run together, and their connections.
struct EnsembleInput {
  std::span<const Compiled> devices;
  std::span<const InternalRunOptions> options;  ///< by device
  std::span<const DeviceLink> links{};
  std::span<const Collective> collectives{};
  Jobs jobs{};
  Pace pace = Pace::apart;
};

/// Runs devices together until nothing is pending, a stop is requested, or a bound is reached. Their workloads must
/// have the same launches of the host in the same order; each launch is of exactly one device, and remote
/// (Launch::is_remote()) for the others. Bounds and the stop token are taken from the first options; a bound on events
/// counts the events of all devices. After a stop request, each device ends where it is. Throws as simulate().
/// Thread-safe as simulate(), if observers of different devices share nothing or the pace is `together`.
EnsembleResult simulate_devices(const EnsembleInput& input);

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
