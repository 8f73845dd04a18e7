#pragma once

#include <gdsim/device/device_spec.hpp>
#include <gdsim/workload/workload.hpp>

#include <string>

namespace gdsim::testing {

/// A device with its dispatch, and a workload that it does not refuse.
struct RandomRun {
  DeviceSpec device;
  Workload workload;
};

/// Draws a small one by rapidcheck: every axis of dispatch, barriers, SLM, factors, several launches.
/// Call inside a property.
RandomRun draw_run();
/// A device and a kernel that it takes.
DeviceSpec draw_device();
Kernel draw_kernel(const DeviceSpec& device);
/// An `issue` step by kinds that every drawn device names.
Step draw_instructions();
/// Up to so many bytes; of some, the sectors that it writes are named.
Memory draw_memory_step(std::int64_t max_bytes);

/// Of all work-groups of all launches.
std::uint64_t threads_of(const Workload& workload);

/// For the report of a property that fails.
std::string describe(const RandomRun& run);

}  // namespace gdsim::testing
