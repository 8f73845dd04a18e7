#pragma once

#include <gdsim/analysis/device_report.hpp>
#include <gdsim/report/sink.hpp>

#include <functional>
#include <span>

namespace gdsim {

/// Writes a table of one run.
using WriteTable = std::function<void(const RunReport& report, Sink& sink)>;

/// The rows of all devices as one table, device by device, with a column `device` at the right. A device that lacks a
/// column of another has empty cells there.
void write_device_tables(std::span<const DeviceReport> devices, const WriteTable& write, Sink& sink);

}  // namespace gdsim
