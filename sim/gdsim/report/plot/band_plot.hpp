#pragma once

#include <gdsim/analysis/run_bands.hpp>
#include <gdsim/report/plot/plot_scale.hpp>

#include <string>
#include <vector>

namespace gdsim {

/// The occupancy of all runs over time, as SVG in the units of both scales: a band from min to max, a band from 5 % to
/// 95 % of the runs, and a line for the median. `contexts` are those of the device.
std::string band_plot(const std::vector<BandRow>& rows, std::uint64_t contexts, const TimeScale& time,
                      const ThreadScale& threads);

}  // namespace gdsim
