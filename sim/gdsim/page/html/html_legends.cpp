#include <gdsim/page/html/html_legends.hpp>

#include <gdsim/analysis/levels.hpp>
#include <gdsim/analysis/time_account.hpp>
#include <gdsim/page/html/html_figures.hpp>
#include <gdsim/page/markup.hpp>
#include <gdsim/page/plot/launch_plot.hpp>
#include <gdsim/page/plot/thread_plot.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace gdsim {
namespace {

/// Builds `<p class="legend">...</p>` from entries.
class Legend {
 public:
  void add_if(bool occurs, std::string_view name, std::string_view words, std::string_view sign = {}) {
    if (occurs) entries_ += fmt::format("<span><i class=\"{}\">{}</i>{}</span>", name, sign, words);
  }
  void add_hidden_if(bool occurs, std::string_view name, std::string_view words) {
    if (occurs) entries_ += fmt::format("<span hidden><i class=\"{}\"></i>{}</span>", name, words);
  }
  void add_open_if(bool occurs) { add_if(occurs, "open", "had not ended", "⋛"); }
  std::string finish() const { return entries_.empty() ? "" : "<p class=\"legend\">" + entries_ + "</p>\n"; }

 private:
  std::string entries_;
};

constexpr const char* kOftenWords = "from the least to the mean of a bin";
constexpr const char* kMostWords = "from the mean to the most of a bin";

/// Explains that a running thread executes, or waits for a shared resource.
std::string running_words(const RunView& view) {
  const TimeSeries& series = view.time_series;
  for (std::size_t i = 1; i < series.columns.size(); ++i)
    if (series.columns[i].name.starts_with("waiting_for_") && series.columns[i].name != "waiting_for_child" &&
        series.occurs(i))
      return "running: executing, or waiting for what it shares";
  return "running";
}

}  // namespace

bool draws_time(const RunView& view) {
  return view.record.first_dispatch < view.record.end && !view.time_series.empty() &&
         (view.time_series.has_waits() || view.time_series.has_dispatch());
}

std::vector<LegendEntry> time_legend_entries(const RunView& view) {
  std::vector<LegendEntry> entries;
  const TimeSeries& series = view.time_series;
  for (std::size_t i = 0; i < series.columns.size(); ++i)
    if (series.occurs(i)) entries.push_back({series.columns[i].style, series.columns[i].words});
  if (std::any_of(series.rows.begin(), series.rows.end(), [](const TimeSeries::Row& row) { return row.copies > 0; }))
    entries.push_back({"copy", "a copy passes"});
  if (series.has_dispatch()) entries.push_back({"dispatch", "a launch waits for dispatch"});
  return entries;
}

std::string time_legend(const RunView& view) {
  Legend legend;
  for (const LegendEntry& entry : time_legend_entries(view)) legend.add_if(true, entry.name, markup_text(entry.words));
  return legend.finish();
}

std::string run_bands_legend() {
  Legend legend;
  legend.add_if(true, "resident", "median");
  legend.add_if(true, "most-runs", "5 % to 95 % of the runs");
  legend.add_if(true, "all-runs", "min to max");
  legend.add_if(true, "capacity", "capacity");
  return legend.finish();
}

bool is_binned(const RunView& view) {
  if (view.timeline.size() > kMaxSteps) return true;
  if (view.cores > kMaxCoreLanes || view.core_points.size() <= kMaxSteps) return false;
  const auto cores = core_levels(view.core_points, view.cores);
  return std::any_of(cores.begin(), cores.end(),
                     [](const ThreadLevels& levels) { return levels.resident.size() > kMaxSteps; });
}

std::vector<LegendEntry> thread_legend_entries(const RunView& view) {
  const TimeAccount account = time_account(view);
  std::vector<LegendEntry> entries;
  if (account.running > 0) entries.push_back({"running", running_words(view)});
  if (account.stalled > 0) entries.push_back({"stalled", "stalled: at a barrier, or ended and held"});
  if (is_binned(view)) entries.insert(entries.end(), {{"often", kOftenWords}, {"most", kMostWords}});
  entries.push_back({"capacity", "capacity"});
  if (!view.clocks.empty()) entries.push_back({"clock", "the clock changes"});
  return entries;
}

std::string thread_legend(const RunView& view) {
  Legend legend;
  for (const LegendEntry& entry : thread_legend_entries(view)) legend.add_if(true, entry.name, entry.words);
  const bool is_exact = !is_binned(view);
  // The page's script shows these where several steps share a column of pixels.
  legend.add_hidden_if(is_exact, "often", "from the least to the mean of a column of pixels");
  legend.add_hidden_if(is_exact, "most", "from the mean to the most of a column of pixels");
  const std::string note =
      "<p class=\"note\" id=\"bins\">There are too many steps to draw each: what a bin holds at least is in full "
      "colour, "
      "its mean and its most are in paler ones. Bins are as narrow as the zoom makes room for.</p>\n";
  return legend.finish() + (is_exact ? "" : note);
}

std::string group_legend(const RunView& view) {
  if (!draws_groups(view)) return {};
  bool is_running = false, is_waiting = false, is_exchanging = false, is_held = false, is_partial = false,
       is_saved = false;
  for (const GroupPoint& point : view.group_points) {
    const GroupState& state = point.change.state;
    if (point.change.kind == GroupChange::Kind::leaves || state.threads == 0) continue;
    is_saved = is_saved || state.placement == GroupPlacement::saved;
    if (state.placement == GroupPlacement::saved) continue;
    const bool is_part = state.placement == GroupPlacement::partial;
    is_running = is_running || (state.running() > 0 && !is_part);
    const bool exchanges = view.launches[index_of(point.change.launch)].exchanges;
    is_waiting = is_waiting || (state.waiting > 0 && !exchanges);
    is_exchanging = is_exchanging || (state.waiting > 0 && exchanges);
    is_held = is_held || (state.running() == 0 && state.waiting == 0);
    is_partial = is_partial || is_part;
  }
  Legend legend;
  legend.add_if(is_running, "busy", "running");
  legend.add_if(is_waiting, "wait", "stalled at a barrier");
  legend.add_if(is_exchanging, "wait", "waiting for other devices and for links");
  legend.add_if(is_held, "wait", "ended, contexts held");
  legend.add_if(is_partial, "part", "placed in part");
  legend.add_if(is_saved, "wait", "saved: another process has the device");
  legend.add_open_if(view.record.work_groups_ended() != view.record.work_groups_total);
  return legend.finish();
}

std::string launch_legend(const RunView& view, const LaunchSelection& selection) {
  const auto lasts = [&](const std::optional<SimTime>& from, const std::optional<SimTime>& to) {
    return from && std::max(*from, view.record.first_dispatch) < to.value_or(view.record.end);
  };
  bool is_queued = false, is_partial = false, is_busy = false, is_copy = false, is_critical = false, is_open = false;
  for (const std::size_t row : selection.rows) {
    const LaunchRecord& launch = view.record.launches[row];
    const bool copies = view.launches[row].is_copy;
    const bool is_full = lasts(launch.fully_dispatched, launch.ended);
    is_queued = is_queued || lasts(launch.ready, launch.first_dispatched);
    is_partial = is_partial || lasts(launch.first_dispatched, launch.fully_dispatched);
    is_busy = is_busy || (is_full && !copies);
    is_copy = is_copy || (is_full && copies);
    is_critical = is_critical || view.is_critical(row);
    is_open = is_open || (launch.first_dispatched && !launch.ended);
  }
  Legend legend;
  legend.add_if(is_queued, "wait", "ready, not begun");
  legend.add_if(is_partial, "part", "being dispatched");
  legend.add_if(is_busy, "busy", "all dispatched, until the last end");
  legend.add_if(is_copy, "copy", "a copy passes");
  legend.add_if(is_critical, "edge", "◆ critical: a later end ends the run later");
  legend.add_open_if(is_open);
  return legend.finish();
}

}  // namespace gdsim
