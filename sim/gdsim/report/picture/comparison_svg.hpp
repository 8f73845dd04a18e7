#pragma once

#include <gdsim/analysis/comparison.hpp>
#include <gdsim/report/sink.hpp>

namespace gdsim {

/// Writes the simulated run as a picture, with the measured occupancy as a dashed line over the device.
void write_comparison_svg(const RunView& view, const MeasuredOccupancy& measured, Sink& sink);

}  // namespace gdsim
