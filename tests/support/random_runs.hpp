#pragma once

#include <gdsim/device/device_spec.hpp>
#include <gdsim/workload/workload.hpp>

#include <string>

namespace gdsim::testing {

/// A device with its dispatch rules, and a workload that it accepts.
struct RandomRun {
  DeviceSpec device;
  Workload workload;
};

/// Draws a small run by rapidcheck: every axis of dispatch, barriers, SLM, factors, several launches. Must be called
/// inside a property.
RandomRun draw_run();
/// Draws a device.
DeviceSpec draw_device();
Kernel draw_kernel(const DeviceSpec& device);
/// An `issue` step by kinds that every drawn device names.
Step draw_instructions();
/// A step of up to `max_bytes`; some name the sectors that they write.
Memory draw_memory_step(std::int64_t max_bytes);

/// The threads of all work-groups of all launches.
std::uint64_t threads_of(const Workload& workload);

/// A description for the report of a property that fails.
std::string describe(const RandomRun& run);

}  // namespace gdsim::testing
