#pragma once

#include <gdsim/analysis/device_report.hpp>
#include <gdsim/report/sink.hpp>

#include <span>
#include <string>
#include <vector>

namespace gdsim {

/// `summary.json` of several devices that ran together: the totals of `all`, and `devices` with the summary of each.
void write_devices_json(const std::string& title, const RunRecord& all, std::span<const DeviceReport> devices,
                        const std::vector<ListedFile>& files, Sink& sink);

}  // namespace gdsim
