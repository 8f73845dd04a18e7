#pragma once

#include <gdsim/base/in_order.hpp>
#include <gdsim/compile/compile.hpp>
#include <gdsim/run/internal_run_options.hpp>
#include <gdsim/workload/workload.hpp>

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

}  // namespace gdsim
