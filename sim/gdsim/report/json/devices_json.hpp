#pragma once

#include <gdsim/analysis/run_report.hpp>
#include <gdsim/report/json/json_writer.hpp>
#include <gdsim/report/sink.hpp>

#include <span>
#include <string>
#include <vector>

namespace gdsim {

/// Writes the keys of `summary.json` on its folder: `files`, `gdsim_version`, `scenario_folder`. The next run learns
/// from `files` what gdsim wrote. A summary that lies in no folder has none of these keys.
void write_folder_facts(const FolderFacts& folder, JsonWriter& json);

/// `summary.json` of several devices that ran together: the totals of `all`, and `devices` with the summary of each.
void write_devices_json(const std::string& title, const RunRecord& all, std::span<const DeviceReport> devices,
                        const FolderFacts& folder, Sink& sink);

}  // namespace gdsim
