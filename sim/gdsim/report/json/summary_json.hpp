#pragma once

#include <gdsim/analysis/run_report.hpp>
#include <gdsim/report/json/json_writer.hpp>
#include <gdsim/report/sink.hpp>

#include <cstdint>

namespace gdsim {

/// Incremented when a key changes its meaning or is removed, but not for new keys.
inline constexpr std::uint64_t kSummarySchemaVersion = 1;

/// Writes `summary.json`: the run in numbers, its phases and transitions, and which threads wait after a deadlock.
void write_summary_json(const RunReport& report, Sink& sink);
/// Writes the totals of a run into an open object: from the outcome to the number of work-groups.
void write_totals(const RunRecord& record, JsonWriter& json);

/// Writes the keys of `summary.json` into an open object, without the list of files.
void write_summary_keys(const RunReport& report, JsonWriter& json);

}  // namespace gdsim
