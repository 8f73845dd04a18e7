#pragma once

#include <gdsim/compare/measured_file.hpp>

#include <gdsim/analysis/run_view.hpp>

#include <cstdint>

namespace gdsim {

/// Whether measured time is scaled so that the measurement lasts as long as the run.
enum class Stretch : std::uint8_t { no, yes };

/// Aligns samples with the time of a run. Samples of 0 at the beginning and at the end are left out. The first
/// remaining sample begins with the run; if stretched, the last one ends with the run, too. Throws InputError if every
/// sample is 0, or if an aligned time would not fit 64-bit picoseconds.
MeasuredOccupancy align(const MeasuredFile& file, const RunView& view, Stretch stretch);

}  // namespace gdsim
