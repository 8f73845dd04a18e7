#include <gdsim/page/html/page_data.hpp>

#include <gdsim/analysis/levels.hpp>
#include <gdsim/page/html/core_group_figures.hpp>
#include <gdsim/page/html/group_data.hpp>
#include <gdsim/page/html/html_figures.hpp>
#include <gdsim/page/html/html_legends.hpp>
#include <gdsim/page/html/launch_data.hpp>
#include <gdsim/page/html/script_json.hpp>
#include <gdsim/page/plot/heat_plot.hpp>
#include <gdsim/page/plot/thread_plot.hpp>
#include <gdsim/page/thread_axis.hpp>
#include <gdsim/report/number_format.hpp>

#include <algorithm>
#include <functional>
#include <optional>
#include <string_view>

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

/// Writes where the time goes: the columns that occur, in 1/10000 of a thread.
std::string time_use(const RunView& view) {
  TimeSeries series = view.time_series;
  // A row holds until the next one, so rows that repeat the previous one are omitted.
  series.rows.erase(std::unique(series.rows.begin(), series.rows.end(),
                                [](const TimeSeries::Row& a, const TimeSeries::Row& b) { return a.means == b.means; }),
                    series.rows.end());
  std::string text = ",\n\"time_use\":{" +
                     script_column("time", series.rows,
                                   [](std::string& to, const TimeSeries::Row& row) { append_time(to, row.begin); }) +
                     ",\"columns\":[";
  bool is_first = true;
  for (std::size_t i = 0; i < series.columns.size(); ++i) {
    if (!series.occurs(i)) continue;
    text += std::string(is_first ? "" : ",") + "{\"name\":" + script_string(series.columns[i].name) +
            ",\"words\":" + script_string(series.columns[i].words) + "," +
            script_column("means", series.rows,
                          [i](std::string& to, const TimeSeries::Row& row) { append_count(to, row.means[i]); }) +
            "}";
    is_first = false;
  }
  return text + "]}";
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

std::string page_data(const RunView& view, const LaunchLanes& lanes, std::string_view more) {
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
  const ThreadLevels device = device_levels(view.timeline);
  text += ",\n\"device\":{" + threads(device, view, kMaxSteps);
  text += view.timeline.size() <= kMaxSteps ? device_columns(view) : idle_shares(device, view, kMaxSteps);
  text += "}";
  if (draws_time(view)) text += time_use(view);
  text += ",\n\"launches\":" + launch_data(view, lanes) + ",\n\"groups\":" + group_data(view);
  if (!view.core_groups.empty()) text += ",\n\"core_groups\":" + core_group_data(view);
  if (view.cores > kMaxCoreLanes) {
    text += heat(view);
  } else {
    const auto cores = core_levels(view.core_points, view.cores);
    for (std::size_t i = 0; i < cores.size(); ++i)
      text += ",\n\"core-" + std::to_string(i) + "\":{" + threads(cores[i], view, core_bins) + "}";
  }
  return text + std::string(more) + "}";
}

}  // namespace gdsim
