#pragma once

#include <gdsim/analysis/run_report.hpp>
#include <gdsim/report/json/json_writer.hpp>
#include <gdsim/report/sink.hpp>

#include <span>
#include <string>
#include <vector>

namespace gdsim {

/// Writes the key `files` of `summary.json`: name, size and SHA-256 of every other file in the folder. Readers check
/// with it that the folder is whole; the next run learns which files gdsim wrote. Without files there is no key.
void write_files(const std::vector<ListedFile>& files, JsonWriter& json);

/// `summary.json` of several devices that ran together: the totals of `all`, and `devices` with the summary of each.
void write_devices_json(const std::string& title, const RunRecord& all, std::span<const DeviceReport> devices,
                        const std::vector<ListedFile>& files, Sink& sink);

}  // namespace gdsim
