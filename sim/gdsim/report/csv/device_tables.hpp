#pragma once

#include <gdsim/analysis/run_report.hpp>
#include <gdsim/report/sink.hpp>

#include <functional>
#include <span>

namespace gdsim {

/// Writes a table of one run.
using WriteTable = std::function<void(const RunReport& report, Sink& sink)>;

/// Writes the rows of all devices as one table, device by device, with a column `device` at the right. If a device
/// lacks a column that another has, its cells there are empty.
void write_device_tables(std::span<const DeviceReport> devices, const WriteTable& write, Sink& sink);

}  // namespace gdsim
