#include <gdsim/page/plot/thread_plot.hpp>

#include <gdsim/page/plot/plot_scale.hpp>

#include <algorithm>
#include <span>
#include <string_view>
#include <vector>

namespace gdsim {
namespace {

/// One step of a plot, in its units.
struct PlotStep {
  std::uint64_t x;
  std::uint64_t y;
};

std::vector<PlotStep> exact_steps(std::span<const Level> levels, const TimeScale& time, const ThreadScale& threads) {
  std::vector<PlotStep> steps;
  for (const Level& level : levels) {
    const PlotStep step{time.x(level.time), threads.y(level.value)};
    if (!steps.empty() && steps.back().y == step.y) continue;
    if (!steps.empty() && steps.back().x == step.x) steps.pop_back();
    steps.push_back(step);
  }
  return steps;
}

/// One step for each bin, as high as `y` says.
template <class Y>
std::vector<PlotStep> steps_of(const std::vector<Bin>& bins, const TimeScale& time, const Y& y) {
  std::vector<PlotStep> steps;
  for (std::size_t i = 0; i < bins.size(); ++i)
    if (const std::uint64_t at = y(i); steps.empty() || steps.back().y != at)
      steps.push_back({time.x(bins[i].begin), at});
  return steps;
}

/// The area between the steps and the floor.
PathData area(const std::vector<PlotStep>& steps, std::uint64_t floor) {
  PathData path;
  if (steps.empty()) return path;
  path.move(steps.front().x, floor);
  for (const PlotStep& step : steps) path.across(step.x).down(step.y);
  path.across(kPlotWidth).down(floor).close();
  return path;
}

PathData outline(const std::vector<PlotStep>& steps) {
  PathData path;
  if (steps.empty()) return path;
  path.move(steps.front().x, steps.front().y);
  for (std::size_t i = 1; i < steps.size(); ++i) path.across(steps[i].x).down(steps[i].y);
  return path.across(kPlotWidth);
}

std::string exact_plot(const ThreadLevels& levels, const TimeScale& time, const ThreadScale& threads) {
  const auto resident = exact_steps(levels.resident, time, threads);
  return path_element("stalled", area(resident, threads.height())) +
         path_element("running", area(exact_steps(levels.running, time, threads), threads.height())) +
         path_element("resident", outline(resident));
}

/// Areas on each other: up to the max of each bin, its mean, its min, and of this what runs on average.
std::string binned_plot(const ThreadLevels& levels, const TimeScale& time, const ThreadScale& threads,
                        std::size_t count) {
  const std::vector<Bin> resident = bins_of(levels.resident, time.start(), time.end(), count);
  const std::vector<Bin> running = bins_of(levels.running, time.start(), time.end(), count);
  const auto mean = [&](const Bin& bin) { return threads.y_of_mean(bin.integral, bin.end - bin.begin); };
  const auto low = [&](std::size_t i) { return threads.y(resident[i].min); };
  const auto shape = [&](std::string_view name, const auto& y) {
    return path_element(name, area(steps_of(resident, time, y), threads.height()));
  };
  return shape("most", [&](std::size_t i) { return threads.y(resident[i].max); }) +
         shape("often", [&](std::size_t i) { return mean(resident[i]); }) + shape("stalled", low) +
         shape("running", [&](std::size_t i) { return std::max(mean(running[i]), low(i)); });
}

}  // namespace

std::string thread_plot(const ThreadLevels& levels, const TimeScale& time, const ThreadScale& threads,
                        PlotDetail detail) {
  PathData capacity;
  capacity.move(0, 0).across(kPlotWidth);
  return (levels.resident.size() <= detail.max_steps ? exact_plot(levels, time, threads)
                                                     : binned_plot(levels, time, threads, detail.bins)) +
         path_element("capacity", capacity);
}

}  // namespace gdsim
