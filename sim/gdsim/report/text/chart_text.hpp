#pragma once

#include <gdsim/analysis/run_report.hpp>

#include <cstdint>
#include <string>

namespace gdsim {

/// The characters that a terminal can show.
enum class Glyphs : std::uint8_t { ascii, unicode };

/// A run as a small block chart for a terminal, 80 columns wide: resident threads of the device over time, shaded where
/// most are stalled, and its phases. At most 8 cores have a lane each; otherwise, the groups of the innermost level
/// with at most 8 groups have lanes. Needs the timeline and the cores.
std::string chart_text(const RunReport& report, Glyphs glyphs);

}  // namespace gdsim
