#pragma once

#include <gdsim/analysis/time_series.hpp>
#include <gdsim/report/plot/plot_scale.hpp>

#include <string>

namespace gdsim {

/// Shows the activities and waits of resident threads as stacked areas, with executing at the bottom, as SVG in the
/// units of both scales. Copies in progress are a bar at the top, launches that wait for dispatch a bar below it.
std::string time_plot(const TimeSeries& series, const TimeScale& time, const ThreadScale& threads);

}  // namespace gdsim
