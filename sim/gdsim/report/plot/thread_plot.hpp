#pragma once

#include <gdsim/report/levels.hpp>
#include <gdsim/report/plot/plot_scale.hpp>

#include <cstddef>
#include <cstdint>
#include <string>

namespace gdsim {

/// Exact steps are drawn up to this many; beyond it, as many bins.
inline constexpr std::size_t kMaxSteps = 2'048;

/// Threads over time as SVG in the units of both scales: what is resident, stalled threads on running ones, and the
/// capacity as a line. Where there are too many steps: means over bins, in a band from min to max.
std::string thread_plot(const ThreadLevels& levels, const TimeScale& time, const ThreadScale& threads);

}  // namespace gdsim
