#pragma once

#include <gdsim/analysis/run_report.hpp>

#include <cstdint>
#include <string>

namespace gdsim {

/// Which characters a terminal can show.
enum class Glyphs : std::uint8_t { ascii, unicode };

/// A run as a small block chart for a terminal, 80 columns wide: resident threads of the device over time, shaded
/// where most of them are stalled, its phases, and a lane for each core if there are no more than 8, else for each
/// group of the innermost level that has no more. Needs the timeline and the cores.
std::string chart_text(const RunReport& report, Glyphs glyphs);

}  // namespace gdsim
