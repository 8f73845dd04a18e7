#pragma once

#include <gdsim/analysis/run_view.hpp>
#include <gdsim/report/plot/plot_scale.hpp>

#include <span>
#include <string>

namespace gdsim {

/// A line at each change of the clock, as SVG in the units of both scales. Lines are as high as the whole axis, of
/// which only a part may be visible.
std::string clock_lines(std::span<const ClockMark> clocks, const TimeScale& time, const ThreadScale& threads);

}  // namespace gdsim
