#pragma once

#include <gdsim/analysis/levels.hpp>
#include <gdsim/page/plot/plot_scale.hpp>

#include <cstddef>
#include <cstdint>
#include <string>

namespace gdsim {

/// The maximum number of steps that are drawn exactly.
inline constexpr std::size_t kMaxSteps = 2'048;
/// The number of bins that replace more steps in a picture, about one for each pixel.
inline constexpr std::size_t kBinsDrawn = 720;
/// The same in one of several plots below each other.
inline constexpr std::size_t kBinsInLanes = 256;

/// The resolution of a plot.
struct PlotDetail {
  std::size_t max_steps = kMaxSteps;
  std::size_t bins = kBinsDrawn;
};

/// Threads over time as SVG in the units of both scales: resident threads, with stalled threads on top of running ones,
/// and the capacity as a line. Too many steps become bins, each with its min, its mean and its max.
std::string thread_plot(const ThreadLevels& levels, const TimeScale& time, const ThreadScale& threads,
                        PlotDetail detail = {});

}  // namespace gdsim
