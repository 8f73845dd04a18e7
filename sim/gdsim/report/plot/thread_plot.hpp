#pragma once

#include <gdsim/analysis/levels.hpp>
#include <gdsim/report/plot/plot_scale.hpp>

#include <cstddef>
#include <cstdint>
#include <string>

namespace gdsim {

/// Exact steps are drawn up to this many.
inline constexpr std::size_t kMaxSteps = 2'048;
/// Beyond it, so many bins: each is some pixels wide, so that the line of means leaves room to see the band that it
/// runs through.
inline constexpr std::size_t kBinsDrawn = 256;

/// How finely a plot is drawn.
struct PlotDetail {
  std::size_t max_steps = kMaxSteps;
  std::size_t bins = kBinsDrawn;
};

/// Threads over time as SVG in the units of both scales: what is resident, stalled threads on running ones, and the
/// capacity as a line. Where there are too many steps: a line of means over bins, in a band from min to max.
std::string thread_plot(const ThreadLevels& levels, const TimeScale& time, const ThreadScale& threads,
                        PlotDetail detail = {});

}  // namespace gdsim
