#pragma once

#include <gdsim/analysis/run_report.hpp>
#include <gdsim/report/json/json_writer.hpp>
#include <gdsim/report/sink.hpp>

#include <cstdint>

namespace gdsim {

/// Raised when a key changes its meaning or is removed; new keys do not count.
inline constexpr std::uint64_t kSummarySchemaVersion = 1;

/// `summary.json`: the run in numbers, its phases and transitions, and which threads wait for what if it stalled.
void write_summary_json(const RunReport& report, Sink& sink);
/// Of a run as a whole, into an object that is open: from the outcome to the number of work-groups.
void write_totals(const RunRecord& record, JsonWriter& json);

/// The same keys into an object that is open, without the list of files.
void write_summary_keys(const RunReport& report, JsonWriter& json);

}  // namespace gdsim
