#pragma once

#include <gdsim/analysis/run_report.hpp>

#include <cstddef>
#include <cstdint>
#include <string>

namespace gdsim {

/// A table of kernels and of copies: launches, the sum of their times from first dispatch to end, mean occupancy during
/// these times, and what else than predecessors they waited for longest.
std::string kernels_text(const RunReport& report);

/// A run for a person: what ran where, its phases (threads first, then percent), and after a deadlock, which threads
/// wait for what.
std::string run_text(const RunReport& report);

/// The characters that a terminal can show.
enum class Glyphs : std::uint8_t { ascii, unicode };

inline constexpr std::size_t kMinChartWidth = 60;

/// What a chart may use of a terminal.
struct ChartStyle {
  Glyphs glyphs = Glyphs::ascii;
  std::size_t width = 80;  ///< characters; less than kMinChartWidth counts as that
  bool is_colored = false;
};

/// A run as a block chart for a terminal: resident threads of the device over time, shaded or colored by what they do,
/// and its phases; of several launches, a row for each queue or kernel. At most 8 cores have a lane each; otherwise,
/// the groups of the innermost level with at most 8 groups have lanes. Needs the timeline, the cores and the waits.
std::string chart_text(const RunReport& report, const ChartStyle& style);

}  // namespace gdsim
