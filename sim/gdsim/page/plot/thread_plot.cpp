#include <gdsim/page/plot/thread_plot.hpp>

#include <gdsim/page/plot/plot_scale.hpp>

#include <span>
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

std::vector<PlotStep> binned_steps(const std::vector<Bin>& bins, const TimeScale& time, const ThreadScale& threads) {
  std::vector<PlotStep> steps;
  for (const Bin& bin : bins) {
    const std::uint64_t y = threads.y_of_mean(bin.integral, bin.end - bin.begin);
    if (steps.empty() || steps.back().y != y) steps.push_back({time.x(bin.begin), y});
  }
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

/// The area from min to max of every bin that is not constant.
PathData band(const std::vector<Bin>& bins, const TimeScale& time, const ThreadScale& threads) {
  PathData path;
  for (const Bin& bin : bins)
    if (bin.min != bin.max) path.box(time.x(bin.begin), threads.y(bin.max), time.x(bin.end), threads.y(bin.min));
  return path;
}

}  // namespace

std::string thread_plot(const ThreadLevels& levels, const TimeScale& time, const ThreadScale& threads,
                        PlotDetail detail) {
  const bool is_exact = levels.resident.size() <= detail.max_steps;
  std::vector<Bin> bins;
  if (!is_exact) bins = bins_of(levels.resident, time.start(), time.end(), detail.bins);
  const auto resident = is_exact ? exact_steps(levels.resident, time, threads) : binned_steps(bins, time, threads);
  const auto running =
      is_exact ? exact_steps(levels.running, time, threads)
               : binned_steps(bins_of(levels.running, time.start(), time.end(), detail.bins), time, threads);
  const std::uint64_t floor = threads.height();
  PathData capacity;
  capacity.move(0, 0).across(kPlotWidth);
  return path_element("stalled", area(resident, floor)) + path_element("running", area(running, floor)) +
         path_element("band", band(bins, time, threads)) + path_element("resident", outline(resident)) +
         path_element("capacity", capacity);
}

}  // namespace gdsim
