#pragma once

#include <gdsim/analysis/device_summary.hpp>
#include <gdsim/points/kept_devices.hpp>

#include <span>
#include <vector>

namespace gdsim {

/// Returns a row for each device of a scenario of several, whose run this is, with its reports.
std::vector<DeviceSummary> device_summaries(const Scenario& scenario, const KeptDevices& run,
                                            std::span<const DeviceReport> reports);

}  // namespace gdsim
