#pragma once

#include <gdsim/analysis/run_bands.hpp>
#include <gdsim/report/plot/plot_scale.hpp>

#include <string>
#include <vector>

namespace gdsim {

/// The occupancy of all runs over time as SVG in the units of both scales: from min to max, in it from 5 % to 95 %
/// of the runs, and their median as a line. `contexts` are those of the device.
std::string band_plot(const std::vector<BandRow>& rows, std::uint64_t contexts, const TimeScale& time,
                      const ThreadScale& threads);

}  // namespace gdsim
