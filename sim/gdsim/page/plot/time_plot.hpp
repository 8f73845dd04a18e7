#pragma once

#include <gdsim/analysis/run_bands.hpp>
#include <gdsim/analysis/run_view.hpp>
#include <gdsim/analysis/time_series.hpp>
#include <gdsim/page/plot/plot_scale.hpp>

#include <span>
#include <string>
#include <vector>

namespace gdsim {

/// The occupancy of all runs over time, as SVG in the units of both scales: a band from min to max, a band from 5 % to
/// 95 % of the runs, and a line for the median. `contexts` are those of the device.
std::string band_plot(const std::vector<BandRow>& rows, std::uint64_t contexts, const TimeScale& time,
                      const ThreadScale& threads);

/// A line at each change of the clock, as SVG in the units of both scales. Lines are as high as the whole axis, of
/// which only a part may be visible.
std::string clock_lines(std::span<const ClockMark> clocks, const TimeScale& time, const ThreadScale& threads);

/// Shows the activities and waits of resident threads as stacked areas, with executing at the bottom, as SVG in the
/// units of both scales. Copies in progress are a bar at the top, launches that wait for dispatch a bar below it.
std::string time_plot(const TimeSeries& series, const TimeScale& time, const ThreadScale& threads);

}  // namespace gdsim
