#include <gdsim/page/html/html_parts.hpp>

#include <gdsim/analysis/levels.hpp>
#include <gdsim/page/markup.hpp>
#include <gdsim/page/plot/plot_scale.hpp>
#include <gdsim/page/plot/plots.hpp>
#include <gdsim/report/number_format.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <utility>

namespace gdsim {
namespace {

constexpr std::size_t kTimeTicks = 8;
constexpr std::uint32_t kMaxCoresWithBars = 2'000;

/// Labels at multiples of the capacity of a core, at most 8 of them.
std::vector<Tick> device_ticks(const RunView& view, const ThreadScale& threads) {
  const std::uint64_t step = (view.cores + 7) / 8 * view.record.contexts_per_core;
  std::vector<Tick> ticks;
  for (std::uint64_t count = 0; count <= view.record.contexts_total; count += step)
    ticks.push_back({threads.y(count), std::to_string(count)});
  if (view.record.contexts_total % step != 0 && view.record.contexts_total % step >= step / 2)
    ticks.push_back({0, std::to_string(view.record.contexts_total)});
  return ticks;
}

std::vector<Tick> device_percent_ticks(std::uint64_t height) {
  std::vector<Tick> ticks;
  for (const std::uint64_t percent : {0U, 25U, 50U, 75U, 100U})
    ticks.push_back({height - height * percent / 100, std::to_string(percent) + " %"});
  return ticks;
}

/// Labels at round numbers of threads, at most 8 of them.
std::vector<Tick> part_ticks(const ThreadScale& threads) {
  constexpr std::uint64_t max = 8;
  std::uint64_t step = 1;
  for (std::uint64_t power = 1; step * max < threads.shown(); power *= 10)
    for (const std::uint64_t factor : {1U, 2U, 5U})
      if (step * max < threads.shown()) step = power * factor;
  std::vector<Tick> ticks;
  for (std::uint64_t count = 0; count <= threads.shown(); count += step)
    ticks.push_back({threads.y(count), std::to_string(count)});
  return ticks;
}

/// Labels at fifths of the part of the device that the axis shows, in percent of the device.
std::vector<Tick> part_percent_ticks(const ThreadAxis& axis, std::uint64_t height) {
  constexpr std::uint64_t parts = 5;
  std::vector<Tick> ticks;
  for (std::uint64_t i = 0; i <= parts; ++i) {
    const Decimal percent{axis.percent.digits * i * 2, axis.percent.exponent - 1};
    const auto up = round_product({Decimal::whole(height), percent}, {1, 100});
    ticks.push_back({height - static_cast<std::uint64_t>(*up), to_text(percent) + " %"});
  }
  return ticks;
}

/// Sets the labels of a plot of threads. Only a part of the plot may be visible.
void label_threads(HtmlPlot& plot, const RunView& view, const ThreadScale& threads) {
  const ThreadAxis axis = fitted_axis(view);
  const ThreadScale fitted(view.record.contexts_total, axis.top);
  plot.height = threads.height();
  plot.left = device_ticks(view, threads);
  plot.right = device_percent_ticks(plot.height);
  if (axis.is_whole_device()) return;
  plot.other_left = part_ticks(fitted);
  plot.other_right = part_percent_ticks(axis, plot.height);
  plot.other_cut = fitted.top();
  plot.fits_note = ": axis up to " + to_text(axis.percent) + " % of the device";
  if (view.scale == FigureScale::device) return;
  std::swap(plot.left, plot.other_left);
  std::swap(plot.right, plot.other_right);
  std::swap(plot.cut, plot.other_cut);
}

ThreadScale thread_scale(const RunView& view) { return {view.record.contexts_total, thread_axis(view).top}; }

/// Labels of rows of equal height, at most about 24 of them.
std::vector<Tick> row_ticks(const RunView& view, std::size_t rows, std::uint64_t row_height,
                            std::size_t cores_per_row) {
  const std::size_t every = (rows + 23) / 24;
  std::vector<Tick> ticks;
  for (std::size_t row = 0; row < rows; row += every)
    ticks.push_back({row * row_height + row_height / 2, core_name(view, row * cores_per_row)});
  return ticks;
}

HtmlPlot core_lane(const RunView& view, std::uint32_t core, const ThreadLevels& levels) {
  const ThreadScale threads(view.record.contexts_per_core);
  std::uint64_t max = 0;
  for (const Level& level : levels.resident) max = std::max(max, level.value);
  HtmlPlot plot;
  plot.id = fmt::format("core-{}", core);
  plot.caption = fmt::format("{} {}", view.terms.core, core);
  plot.description =
      max == 0 ? "Stays empty." : fmt::format("At most {} of {} {}s.", max, threads.capacity(), view.terms.thread);
  plot.shapes =
      thread_plot(levels, TimeScale(view.record.first_dispatch, view.record.end), threads, {kMaxSteps, kBinsInLanes});
  plot.height = threads.height();
  plot.pixels = 44;
  plot.series = fmt::format("core-{}", core);
  plot.left = {{threads.height() / 2, plot.caption}};
  plot.right = {{0, std::to_string(threads.capacity())}, {threads.height(), "0"}};
  if (core + 1 == view.cores) plot.time = time_ticks(view);
  return plot;
}

HtmlPlot heat_figure(const RunView& view) {
  const RowPlot heat = heat_plot(view);
  const std::size_t per_row = heat_cores_per_row(view);
  HtmlPlot plot;
  plot.id = "heat";
  plot.caption = fmt::format("Occupancy of every {}", view.terms.core);
  plot.description = fmt::format(
      "A map: a row for {}, time to the right, darker where more contexts are held. What is blank is empty.",
      per_row == 1 ? "each " + view.terms.core : fmt::format("every {} {}s", per_row, view.terms.core));
  const std::uint64_t row_pixels = std::clamp<std::uint64_t>(400 / heat.rows, 3, 14);
  plot.shapes = fmt::format("<g style=\"--row:{}px\">{}</g>", row_pixels, heat.shapes);
  plot.height = heat.height;
  plot.pixels = row_pixels * heat.rows;
  plot.series = "heat";
  plot.left = row_ticks(view, heat.rows, heat.height / heat.rows, per_row);
  plot.time = time_ticks(view);
  return plot;
}

std::string heat_legend() {
  std::string text = "<p class=\"legend heat-legend\" aria-hidden=\"true\"><span>0 %</span>";
  for (std::size_t shade = 0; shade < kHeatShades; ++shade) text += fmt::format("<i class=\"h{}\"></i>", shade);
  return text + "<span>100 %</span></p>\n";
}

/// Says why work-groups are not drawn.
std::string missing_groups(const RunView& view) {
  const std::string groups = markup_text(view.terms.work_group) + "s";
  if (view.record.work_groups_total == 0) return "<p class=\"note\">There are no " + groups + ".</p>\n";
  const std::string why = [&]() -> std::string {
    if (view.record.work_groups_total > kMaxGroupsDrawn) return "are too many to draw one by one";
    if (view.cores > kMaxCoresWithBars)
      return fmt::format("are not drawn one by one: {} {}s are too many", view.cores, markup_text(view.terms.core));
    if (view.are_groups_known)
      return fmt::format("are not drawn one by one: they change too often, more than {} times", kMaxGroupPointsDrawn);
    return "are not drawn one by one: their starts and ends are not known";
  }();
  return fmt::format("<p class=\"note\" id=\"groups-missing\">{} {} {}.</p>\n", view.record.work_groups_total, groups,
                     why);
}

}  // namespace

std::vector<Tick> time_ticks(const RunView& view) {
  return TimeScale(view.record.first_dispatch, view.record.end).ticks(kTimeTicks);
}

HtmlPlot device_plot(const RunView& view) {
  const ThreadScale threads = thread_scale(view);
  const TimeScale time(view.record.first_dispatch, view.record.end);
  HtmlPlot plot;
  plot.id = "device";
  plot.caption = "Occupancy of the device";
  plot.description =
      fmt::format("{}s of {} contexts over time. Phases:", view.terms.thread, view.record.contexts_total);
  for (std::size_t i = 0; i < view.record.phases.phases.size(); ++i) {
    const Phase& phase = view.record.phases.phases[i];
    const std::string label = phase_label(phase, view);
    if (i < 40) plot.description += fmt::format(" {} from {} to {};", label, to_text(phase.begin), to_text(phase.end));
    const PlotMark mark{time.x(phase.begin), time.x(phase.end), label};
    if (mark.to - mark.from >= kPlotWidth / 100) plot.marks.push_back(mark);
  }
  for (const ClockMark& mark : std::span(view.clocks).first(std::min<std::size_t>(view.clocks.size(), 40)))
    plot.description += fmt::format(" From {} on the clock is {}.", to_text(mark.at), mark.clock);
  plot.shapes = thread_plot(device_levels(view.timeline), time, threads) + clock_lines(view.clocks, time, threads);
  label_threads(plot, view, threads);
  plot.pixels = 240;
  plot.series = "device";
  plot.time = time_ticks(view);
  return plot;
}

std::string time_figure(const RunView& view) {
  if (!draws_time(view)) return {};
  const ThreadScale threads = thread_scale(view);
  HtmlPlot plot;
  plot.id = "time-use";
  plot.caption = "Where the time of " + view.terms.thread + "s goes";
  plot.description = "Areas on each other, over time:";
  for (std::size_t i = 0; i < view.time_series.columns.size(); ++i)
    if (view.time_series.occurs(i)) plot.description += " " + view.time_series.columns[i].words + ";";
  const TimeScale time(view.record.first_dispatch, view.record.end);
  label_threads(plot, view, threads);
  plot.pixels = 160;
  plot.series = "time_use";
  plot.shapes =
      hatches(view, plot) + time_plot(view.time_series, time, threads) + clock_lines(view.clocks, time, threads);
  plot.time = time_ticks(view);
  return time_legend(view) + html_figure(plot);
}

std::string run_bands_figure(const RunView& view) {
  if (view.runs <= 1 || view.bands.empty() || view.bands.front().begin >= view.bands.back().end) return {};
  const ThreadScale threads = thread_scale(view);
  const TimeScale time(view.bands.front().begin, view.bands.back().end);
  HtmlPlot plot;
  plot.id = "run-bands";
  plot.caption = fmt::format("Occupancy of {} runs", view.runs);
  plot.description = fmt::format(
      "A line is the median of {} runs over time, in bands from 5 % to 95 % of them and from "
      "min to max.",
      view.runs);
  plot.shapes = band_plot(view.bands, view.record.contexts_total, time, threads);
  label_threads(plot, view, threads);
  plot.pixels = 160;
  plot.series = "none";  // its time axis is not that of the first run, as in the other plots
  plot.time = time.ticks(kTimeTicks);
  return run_bands_legend() + html_figure(plot);
}

std::string core_figures(const RunView& view) {
  if (view.cores > kMaxCoreLanes) return html_figure(heat_figure(view)) + heat_legend();
  const auto levels = core_levels(view.core_points, view.cores);
  std::string text =
      "<details id=\"cores\" open><summary>Every " + markup_text(view.terms.core) + "</summary>\n<div class=\"lanes\">";
  for (std::uint32_t core = 0; core < view.cores; ++core) text += html_figure(core_lane(view, core, levels[core]));
  return text + "</div></details>\n";
}

bool draws_groups(const RunView& view) { return !view.group_points.empty() && view.cores <= kMaxCoresWithBars; }

std::string group_figure(const RunView& view) {
  if (!draws_groups(view)) return missing_groups(view);
  const GroupPlot groups = group_plot(view);
  const std::size_t every = (view.cores + 39) / 40;
  HtmlPlot plot;
  plot.id = "groups";
  plot.caption = capitalized(fmt::format("{}s on their {}s", view.terms.work_group, view.terms.core));
  const bool exchange =
      std::any_of(view.launches.begin(), view.launches.end(), [](const LaunchRow& launch) { return launch.exchanges; });
  plot.description = fmt::format(
      "{} {}s as bars. A low, dashed bar is placed in part; stripes wait at a barrier{}. Hover over a bar for its "
      "times.",
      view.record.work_groups_total, view.terms.work_group, exchange ? ", or in a collective" : "");
  plot.shapes = groups.shapes;
  plot.height = groups.height;
  std::uint64_t top = 0;
  PathData borders;
  for (std::size_t core = 0; core < groups.lanes.size(); ++core) {
    const std::uint64_t height = groups.lanes[core] * kLaneHeight;
    if (core % every == 0) plot.left.push_back({top + height / 2, fmt::format("{} {}", view.terms.core, core)});
    top += height + kCoreGap;
    borders.move(0, top - kCoreGap / 2).across(kPlotWidth);
  }
  plot.shapes += path_element("grid", borders);
  plot.pixels = view.cores <= kMaxCoreLanes ? plot.height * 8 / 10 : plot.height * 4 / 10;
  plot.time = time_ticks(view);
  constexpr std::uint64_t max_pixels_open = 1'000;
  if (plot.pixels <= max_pixels_open) return html_figure(plot);
  return "<details><summary>Show " + markup_text(plot.caption) + "</summary>\n" + html_figure(plot) + "</details>\n";
}

std::string launch_figure(const RunView& view, const LaunchSelection& selection) {
  constexpr std::size_t max_high_rows = 200;
  constexpr std::size_t longest_label = 60;
  const LaunchPlot launches = launch_plot(view, selection);
  HtmlPlot plot;
  plot.id = "launches";
  plot.caption = "Launches over time";
  plot.description = fmt::format(
      "{} launches as rows; a line leads from the end of one to those that waited for it. Framed ones, marked {}, are "
      "critical.",
      selection.rows.size(), kCriticalMark);
  plot.shapes = launches.shapes;
  plot.height = launches.height;
  plot.pixels = launches.rows > max_high_rows ? launches.rows * 14 : launches.height;
  const auto label = [&](const std::string& name, bool is_critical) {
    plot.left.push_back({plot.left.size() * kLaunchHeight + kLaunchHeight / 2,
                         (is_critical ? std::string(kCriticalMark) + " " : "") + shortened(name, longest_label)});
  };
  if (launches.has_path_row) label("critical path", true);
  for (const std::size_t row : selection.rows) label(view.launches[row].name, view.is_critical(row));
  plot.time = time_ticks(view);
  std::string text = html_figure(plot);
  if (!selection.is_whole())
    text += "<p class=\"note\" id=\"launches-shown\">" + markup_text(selection_words(selection)) + "</p>\n";
  if (launches.lines_left_out > 0)
    text += fmt::format("<p class=\"note\">{} more lines between them are too many to draw.</p>\n",
                        launches.lines_left_out);
  return text;
}

}  // namespace gdsim
