#pragma once

#include <gdsim/compare/measured_file.hpp>

#include <gdsim/analysis/run_view.hpp>

#include <cstdint>

namespace gdsim {

/// Whether measured time is scaled so that the measurement lasts as long as the run.
enum class Stretch : std::uint8_t { no, yes };

/// Puts samples onto the time of a run. Samples of 0 before the first and after the last sample that is not 0 are left
/// out. The first that remains begins with the run; if stretched, the last one ends with it, too. Throws InputError if
/// every sample is 0, or if an aligned time would not fit 64-bit picoseconds.
MeasuredOccupancy align(const MeasuredFile& file, const RunView& view, Stretch stretch);

}  // namespace gdsim
