#include <gdsim/page/html/page_data.hpp>

#include <gdsim/analysis/levels.hpp>
#include <gdsim/page/html/html_parts.hpp>
#include <gdsim/page/markup.hpp>
#include <gdsim/page/plot/plot_scale.hpp>
#include <gdsim/page/plot/plots.hpp>
#include <gdsim/report/json/json_writer.hpp>
#include <gdsim/report/number_format.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace gdsim {
namespace {

/// Times are texts: 64 bits of picoseconds exceed the range of a script's numbers.
void append_time(std::string& text, SimTime time) {
  text.push_back('"');
  append_nanoseconds(text, since_start(time));
  text.push_back('"');
}

std::string exact_threads(const ThreadLevels& levels) {
  return script_column("time", levels.resident,
                       [](std::string& text, const Level& level) { append_time(text, level.time); }) +
         "," +
         script_column("resident", levels.resident,
                       [](std::string& text, const Level& level) { append_count(text, level.value); }) +
         "," + script_column("running", levels.running, [](std::string& text, const Level& level) {
           append_count(text, level.value);
         });
}

std::string binned_threads(const ThreadLevels& levels, const RunView& view, std::size_t count) {
  const auto resident = bins_of(levels.resident, view.record.first_dispatch, view.record.end, count);
  const auto running = bins_of(levels.running, view.record.first_dispatch, view.record.end, count);
  const auto mean = [](std::string& text, const Bin& bin) { append_fraction(text, bin.mean()); };
  return "\"binned\":true," +
         script_column("time", resident, [](std::string& text, const Bin& bin) { append_time(text, bin.begin); }) +
         "," + script_column("resident", resident, mean) + "," + script_column("running", running, mean) + "," +
         script_column("min", resident, [](std::string& text, const Bin& bin) { append_count(text, bin.min); }) + "," +
         script_column("max", resident, [](std::string& text, const Bin& bin) { append_count(text, bin.max); });
}

/// By bin, the share of time in which nothing is resident.
std::string idle_shares(const ThreadLevels& levels, const RunView& view, std::size_t count) {
  std::vector<Level> idle;
  for (const Level& level : levels.resident) idle.push_back({level.time, level.value == 0 ? 1U : 0U});
  return "," + script_column("idle", bins_of(idle, view.record.first_dispatch, view.record.end, count),
                             [](std::string& text, const Bin& bin) { append_fraction(text, bin.mean()); });
}

std::string threads(const ThreadLevels& levels, const RunView& view, std::size_t bins) {
  return levels.resident.size() <= kMaxSteps ? exact_threads(levels) : binned_threads(levels, view, bins);
}

/// The other columns of timeline.csv.
std::string device_columns(const RunView& view) {
  const auto count = [](auto get) {
    return [get](std::string& text, const TimelinePoint& point) {
      append_count(text, static_cast<std::uint64_t>(std::invoke(get, point.counts)));
    };
  };
  return "," +
         script_column("groups", view.timeline, count([](const DeviceCounts& c) { return c.resident.work_groups; })) +
         "," +
         script_column("partial", view.timeline, count([](const DeviceCounts& c) { return c.work_groups_partial; })) +
         "," + script_column("busy", view.timeline, count([](const DeviceCounts& c) { return c.cores_busy; })) + "," +
         script_column("slm", view.timeline, count([](const DeviceCounts& c) { return c.resident.slm.count; }));
}

/// `{"style":"copy","on":[0,1]}`: the rows in which at least one copy is in progress, or one launch waits.
std::string bar_of(const TimeSeries& series, std::string_view style, std::uint64_t TimeSeries::Row::*count) {
  return "{\"style\":\"" + std::string(style) + "\"," +
         script_column("on", series.rows,
                       [count](std::string& to, const TimeSeries::Row& row) { to += row.*count > 0 ? "1" : "0"; }) +
         "}";
}

/// Writes where the time goes: the columns that occur, in 1/10000 of a thread, and the bars above them.
std::string time_use(const RunView& view) {
  TimeSeries series = view.time_series;
  // A row holds until the next one, so rows that repeat the previous one are omitted.
  const auto is_as_before = [](const TimeSeries::Row& a, const TimeSeries::Row& b) {
    return a.means == b.means && (a.copies > 0) == (b.copies > 0) &&
           (a.waiting_launches > 0) == (b.waiting_launches > 0);
  };
  series.rows.erase(std::unique(series.rows.begin(), series.rows.end(), is_as_before), series.rows.end());
  std::string text = ",\n\"time_use\":{" +
                     script_column("time", series.rows,
                                   [](std::string& to, const TimeSeries::Row& row) { append_time(to, row.begin); }) +
                     ",\"columns\":[";
  bool is_first = true;
  for (std::size_t i = 0; i < series.columns.size(); ++i) {
    if (!series.occurs(i)) continue;
    text += std::string(is_first ? "" : ",") + "{\"name\":" + script_string(series.columns[i].name) + ",\"style\":\"" +
            std::string(series.columns[i].style) + "\",\"words\":" + script_string(series.columns[i].words) + "," +
            script_column("means", series.rows,
                          [i](std::string& to, const TimeSeries::Row& row) { append_count(to, row.means[i]); }) +
            "}";
    is_first = false;
  }
  return text + "],\"bars\":[" + bar_of(series, "copy", &TimeSeries::Row::copies) + "," +
         bar_of(series, "dispatch", &TimeSeries::Row::waiting_launches) + "]}";
}

/// The resident threads of one core, as `[index of time,threads,index of time,threads,...]`.
std::string core_steps(const ThreadLevels& levels, const std::vector<SimTime>& times) {
  std::string text = "[";
  std::optional<std::uint64_t> last;
  for (const Level& level : levels.resident) {
    if (last == level.value) continue;
    last = level.value;
    if (text.size() > 1) text.push_back(',');
    const auto found = std::lower_bound(times.begin(), times.end(), level.time);
    append_count(text, static_cast<std::uint64_t>(found - times.begin()));
    text.push_back(',');
    append_count(text, level.value);
  }
  return text + "]";
}

/// The data of the heat map, and the steps of all its cores unless they are too many for a page.
std::string heat(const RunView& view) {
  constexpr std::size_t max_points = 10'000;
  const std::size_t per_row = heat_cores_per_row(view);
  std::string text = ",\n\"heat\":{\"cores\":" + std::to_string(view.cores) +
                     ",\"per_row\":" + std::to_string(per_row) +
                     ",\"rows\":" + std::to_string((view.cores + per_row - 1) / per_row) +
                     ",\"shades\":" + std::to_string(kHeatShades) + ",\"bin_ns\":";
  append_time(text, {view.record.active().count / static_cast<std::int64_t>(heat_columns(view))});
  if (per_row > 1 || view.core_points.size() > max_points) return text + "}";
  std::vector<SimTime> times;
  for (const CorePoint& point : view.core_points) times.push_back(point.time);
  times.erase(std::unique(times.begin(), times.end()), times.end());
  text += "," + script_column("time", times, append_time);
  return text + "," +
         script_column("steps", core_levels(view.core_points, view.cores),
                       [&](std::string& to, const ThreadLevels& levels) { to += core_steps(levels, times); }) +
         "}";
}

}  // namespace

std::string page_data(const RunView& view, const LaunchLanes& lanes) {
  constexpr std::size_t core_bins = 512;
  std::string text = "{\"start\":";
  append_time(text, view.record.first_dispatch);
  text += ",\"end\":";
  append_time(text, view.record.end);
  text += ",\"contexts\":";
  append_count(text, view.record.contexts_total);
  if (const ThreadAxis axis = fitted_axis(view); !axis.is_whole_device()) {
    text += ",\"shown\":";
    append_count(text, axis.top);
    text += view.scale == FigureScale::fits ? ",\"scale\":\"fits\"" : ",\"scale\":\"device\"";
  }
  text += ",\"per_core\":";
  append_count(text, view.record.contexts_per_core);
  text += ",\"words\":{\"core\":" + script_string(view.terms.core) + ",\"thread\":" + script_string(view.terms.thread) +
          ",\"work_group\":" + script_string(view.terms.work_group) + ",\"slm\":" + script_string(view.terms.slm) + "}";
  if (!view.core_names.empty())
    text += "," + script_column("core_names", view.core_names,
                                [](std::string& to, const std::string& name) { to += script_string(name); });
  const ThreadLevels device = device_levels(view.timeline);
  text += ",\n\"device\":{" + threads(device, view, kMaxSteps);
  text += view.timeline.size() <= kMaxSteps ? device_columns(view) : idle_shares(device, view, kMaxSteps);
  text += "}";
  if (draws_time(view)) text += time_use(view);
  text += ",\n\"launches\":" + launch_data(view, lanes) + ",\n\"groups\":" + group_data(view);
  if (has_tiles(view)) text += ",\n\"tiles\":" + tile_data(view);
  if (!view.core_groups.empty()) text += ",\n\"core_groups\":" + core_group_data(view);
  if (view.cores > kMaxCoreLanes) {
    text += heat(view);
  } else {
    const auto cores = core_levels(view.core_points, view.cores);
    for (std::size_t i = 0; i < cores.size(); ++i)
      text += ",\n\"core-" + std::to_string(i) + "\":{" + threads(cores[i], view, core_bins) + "}";
  }
  return text + "}";
}

std::string script_string(std::string_view text) {
  std::string result;
  for (const char c : json_string(text)) {
    if (c == '<') {
      result += "\\u003c";
    } else {
      result.push_back(c);
    }
  }
  return result;
}

void append_picoseconds(std::string& text, SimTime from, SimTime time) {
  if (time < from) {
    text.push_back('-');
    append_count(text, static_cast<std::uint64_t>((from - time).count));
  } else {
    append_count(text, static_cast<std::uint64_t>((time - from).count));
  }
}

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
