#pragma once

#include <gdsim/device/device_spec.hpp>

#include <cstdint>
#include <filesystem>
#include <string>

namespace gdsim::testing {

/// How a simulated device is looked at.
struct ProbeNoise {
  std::int64_t clock_cycles = 0;  ///< each reading of a clock is off by up to so many cycles
  std::int64_t timer_step_ns = 1;
  int percent = 0;  ///< rates and latencies are off by up to so many
  std::uint64_t seed = 1;
};

/// Writes the tables that tools/probe would write on this device, which dispatches as gdsim simulates it: blocks of
/// `threads`, `slots`, `shared` and `drawn`, launches of `launch` and `gaps`, `latency`, `bandwidth`, `shared_memory`
/// and `barrier`, as far as the device says how long these take. The clock of each core began at another time.
void write_probe_tables(const DeviceSpec& device, const std::string& architecture, const ProbeNoise& noise,
                        const std::filesystem::path& folder);

}  // namespace gdsim::testing
