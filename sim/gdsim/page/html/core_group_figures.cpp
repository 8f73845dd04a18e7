#include <gdsim/page/html/core_group_figures.hpp>

#include <gdsim/analysis/levels.hpp>
#include <gdsim/page/html/html_figures.hpp>
#include <gdsim/page/html/script_json.hpp>
#include <gdsim/page/markup.hpp>
#include <gdsim/report/number_format.hpp>
#include <gdsim/page/plot/thread_plot.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <vector>

namespace gdsim {
namespace {

/// Levels with more groups are omitted: the map of cores shows the same.
constexpr std::size_t kMaxRowsOfLevel = 64;
/// The maximum number of steps in all rows together, for the size of the page.
constexpr std::size_t kMaxStepsOfAll = 6'000;

/// The groups of each level.
std::vector<std::span<const CoreGroup>> levels_of(const RunView& view) {
  std::vector<std::span<const CoreGroup>> levels;
  const std::span<const CoreGroup> all = view.core_groups;
  for (std::size_t begin = 0; begin < all.size();) {
    std::size_t end = begin + 1;
    while (end < all.size() && all[end].level == all[begin].level) ++end;
    levels.push_back(all.subspan(begin, end - begin));
    begin = end;
  }
  return levels;
}

bool is_drawn(std::span<const CoreGroup> level) { return level.size() <= kMaxRowsOfLevel; }

/// All rows have the same detail.
PlotDetail detail_of(const RunView& view) {
  std::size_t rows = 0;
  for (const auto& level : levels_of(view))
    if (is_drawn(level)) rows += level.size();
  const std::size_t steps = std::clamp<std::size_t>(kMaxStepsOfAll / std::max<std::size_t>(rows, 1), 64, kMaxSteps);
  return {steps, std::min(steps, kBinsInLanes)};
}

std::string name_of(const CoreGroup& group) { return fmt::format("{} {}", group.level, group.number); }

std::uint64_t contexts_of(const CoreGroup& group, const RunView& view) {
  return group.cores() * view.record.contexts_per_core;
}

/// `GPC 3, SMs 48 to 63`
std::string caption_of(const CoreGroup& group, const RunView& view) {
  if (group.cores() == 1) return fmt::format("{}, {} {}", name_of(group), view.terms.core, group.first);
  return fmt::format("{}, {}s {} to {}", name_of(group), view.terms.core, group.first, group.last - 1);
}

HtmlPlot row_of(const CoreGroup& group, std::size_t index, const RunView& view, const ThreadLevels& levels) {
  const ThreadScale threads(contexts_of(group, view));
  std::uint64_t max = 0;
  for (const Level& level : levels.resident) max = std::max(max, level.value);
  HtmlPlot plot;
  plot.id = fmt::format("core-group-{}", index);
  plot.caption = caption_of(group, view);
  plot.description =
      max == 0 ? "Stays empty." : fmt::format("At most {} of {} {}s.", max, threads.capacity(), view.terms.thread);
  plot.shapes = thread_plot(levels, TimeScale(view.record.first_dispatch, view.record.end), threads, detail_of(view));
  plot.height = threads.height();
  plot.pixels = 44;
  plot.series = plot.id;
  plot.left = {{threads.height() / 2, name_of(group)}};
  plot.right = {{0, std::to_string(threads.capacity())}, {threads.height(), "0"}};
  return plot;
}

std::string data_of(const CoreGroup& group, const RunView& view, const ThreadLevels& levels) {
  std::string text = "{\"name\":" + script_string(name_of(group)) + ",\"contexts\":";
  append_count(text, contexts_of(group, view));
  const auto time = [](std::string& to, SimTime at) {
    to.push_back('"');
    append_nanoseconds(to, since_start(at));
    to.push_back('"');
  };
  const PlotDetail detail = detail_of(view);
  if (levels.resident.size() > detail.max_steps) {
    const auto bins = bins_of(levels.resident, view.record.first_dispatch, view.record.end, detail.bins);
    return text + ",\"binned\":true," +
           script_column("time", bins, [&](std::string& to, const Bin& bin) { time(to, bin.begin); }) + "," +
           script_column("resident", bins, [](std::string& to, const Bin& bin) { append_fraction(to, bin.mean()); }) +
           "}";
  }
  return text + "," +
         script_column("time", levels.resident, [&](std::string& to, const Level& level) { time(to, level.time); }) +
         "," +
         script_column("resident", levels.resident,
                       [](std::string& to, const Level& level) { append_count(to, level.value); }) +
         "}";
}

}  // namespace

std::string core_group_figures(const RunView& view) {
  if (view.core_groups.empty()) return {};
  const auto levels = core_group_levels(view.core_points, view.cores, view.core_groups);
  std::string names;
  std::string rows;
  std::size_t index = 0;
  for (const auto& level : levels_of(view)) {
    const std::string name = markup_text(level.front().level);
    names += (names.empty() ? "" : ", ") + name;
    if (!is_drawn(level)) {
      rows += fmt::format("<p class=\"note\">{} {}s are too many to draw one by one.</p>\n", level.size(), name);
      index += level.size();
      continue;
    }
    rows += "<div class=\"lanes\">";
    for (const CoreGroup& group : level) {
      HtmlPlot plot = row_of(group, index, view, levels[index]);
      if (&group == &level.back()) plot.time = time_ticks(view);
      rows += html_figure(plot);
      ++index;
    }
    rows += "</div>\n";
  }
  return "<details id=\"core-groups\"><summary>Show occupancy of every " + names + "</summary>\n" + rows +
         "</details>\n";
}

std::string core_group_data(const RunView& view) {
  const auto levels = core_group_levels(view.core_points, view.cores, view.core_groups);
  std::string text;
  std::size_t index = 0;
  for (const auto& level : levels_of(view))
    for (const CoreGroup& group : level) {
      text += (text.empty() ? "[" : ",\n") + (is_drawn(level) ? data_of(group, view, levels[index]) : "null");
      ++index;
    }
  return text + "]";
}

}  // namespace gdsim
