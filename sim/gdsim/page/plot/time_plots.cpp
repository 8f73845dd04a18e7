#include <gdsim/page/plot/plots.hpp>

#include <gdsim/analysis/words.hpp>
#include <gdsim/page/markup.hpp>
#include <gdsim/page/plot/plot_scale.hpp>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace gdsim {
namespace {

class BandShapes {
 public:
  BandShapes(const std::vector<BandRow>& rows, std::uint64_t contexts, const TimeScale& time,
             const ThreadScale& threads)
      : rows_(rows), contexts_(contexts), time_(time), threads_(threads) {}

  /// The area along `upper` to the end and back along `lower`.
  PathData between(BandRow::Column lower, BandRow::Column upper) const {
    PathData path;
    for (const BandRow& row : rows_) step(path, row, upper).across(time_.x(row.end));
    for (auto row = rows_.rbegin(); row != rows_.rend(); ++row) path.down(y(*row, lower)).across(time_.x(row->begin));
    return path.close();
  }

  PathData line(BandRow::Column column) const {
    PathData path;
    for (const BandRow& row : rows_) step(path, row, column).across(time_.x(row.end));
    return path;
  }

 private:
  PathData& step(PathData& path, const BandRow& row, BandRow::Column column) const {
    return path.empty() ? path.move(time_.x(row.begin), y(row, column)) : path.down(y(row, column));
  }
  std::uint64_t y(const BandRow& row, BandRow::Column column) const {
    return threads_.y_of_mean(UInt128{row.percent[column]} * contexts_,
                              Duration{static_cast<std::int64_t>(100 * BandRow::kPerPercent)});
  }

  const std::vector<BandRow>& rows_;
  std::uint64_t contexts_;
  const TimeScale& time_;
  const ThreadScale& threads_;
};

}  // namespace

std::string band_plot(const std::vector<BandRow>& rows, std::uint64_t contexts, const TimeScale& time,
                      const ThreadScale& threads) {
  if (rows.empty()) return {};
  const BandShapes shapes(rows, contexts, time, threads);
  PathData capacity;
  capacity.move(0, 0).across(kPlotWidth);
  return path_element("all-runs", shapes.between(BandRow::min, BandRow::max)) +
         path_element("most-runs", shapes.between(BandRow::p5, BandRow::p95)) +
         path_element("resident", shapes.line(BandRow::p50)) + path_element("capacity", capacity);
}

std::string clock_lines(std::span<const ClockMark> clocks, const TimeScale& time, const ThreadScale& threads) {
  PathData path;
  for (const ClockMark& mark : clocks) path.move(time.x(mark.at), 0).down(threads.height());
  return path_element("clock", path);
}

namespace {

/// The area between the sum of the first `columns` columns and the floor.
PathData area(const TimeSeries& series, std::size_t columns, const TimeScale& time, const ThreadScale& threads) {
  PathData path;
  std::optional<std::uint64_t> last;
  for (const TimeSeries::Row& row : series.rows) {
    UInt128 sum = 0;
    for (std::size_t i = 0; i < columns; ++i) sum += row.means[i];
    const std::uint64_t y = threads.y_of_mean(sum, Duration{TimeSeries::kPerThread});
    if (!last) path.move(time.x(row.begin), threads.height());
    if (last != y) path.across(time.x(row.begin)).down(y);
    last = y;
  }
  if (last) path.across(kPlotWidth).down(threads.height()).close();
  return path;
}

/// A bar at the top of the visible part while at least one copy is in progress, or one launch waits. `line` 0 is the
/// highest.
PathData bar(const TimeSeries& series, std::uint64_t TimeSeries::Row::*count, std::uint64_t line, const TimeScale& time,
             const ThreadScale& threads) {
  PathData path;
  const std::uint64_t top = threads.top();
  const std::uint64_t height = (threads.height() - top) / 25;
  for (std::size_t i = 0; i < series.rows.size(); ++i) {
    if (series.rows[i].*count == 0) continue;
    std::size_t end = i;
    while (end + 1 < series.rows.size() && series.rows[end + 1].*count > 0) ++end;
    path.box(time.x(series.rows[i].begin), top + line * height, time.x(series.rows[end].end),
             top + (line + 1) * height);
    i = end;
  }
  return path;
}

}  // namespace

std::string time_plot(const TimeSeries& series, const TimeScale& time, const ThreadScale& threads) {
  std::string shapes;
  for (std::size_t i = series.columns.size(); i > 0; --i)
    if (series.occurs(i - 1)) shapes += path_element(series.columns[i - 1].style, area(series, i, time, threads));
  PathData capacity;
  capacity.move(0, 0).across(kPlotWidth);
  return shapes + path_element("copy", bar(series, &TimeSeries::Row::copies, 0, time, threads)) +
         path_element("dispatch", bar(series, &TimeSeries::Row::waiting_launches, 1, time, threads)) +
         path_element("capacity", capacity);
}

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

namespace {

/// Every row's title has names, which are shortened to this length.
constexpr std::size_t kLongestLaunchName = 100;

class LaunchDrawing {
 public:
  LaunchDrawing(const RunView& view, const LaunchSelection& selection)
      : view_(view), selection_(selection), time_(view.record.first_dispatch, view.record.end) {
    const auto& path = view.record.critical_path;
    for (std::size_t i = 1; i < path.size(); ++i) before_on_path_[index_of(path[i])] = index_of(path[i - 1]);
  }

  LaunchPlot draw() {
    plot_.has_path_row = selection_.critical_shown < selection_.critical;
    if (plot_.has_path_row) plot_.shapes += whole_path();
    const std::size_t first = plot_.has_path_row ? 1 : 0;
    for (std::size_t i = 0; i < selection_.rows.size(); ++i) place_of_[selection_.rows[i]] = first + i;
    plot_.rows = first + selection_.rows.size();
    plot_.height = plot_.rows * kLaunchHeight;
    for (const bool on_path : {true, false})
      for (const std::size_t launch : selection_.rows) connect_with_earlier(launch, on_path);
    for (const std::size_t launch : selection_.rows) plot_.shapes += bars(launch, place_of_.at(launch));
    plot_.shapes += path_element("after", lines_) + path_element("after critical", critical_lines_) +
                    path_element("dot", dots_) + path_element("open", open_);
    return std::move(plot_);
  }

 private:
  static std::uint64_t middle(std::size_t row) { return row * kLaunchHeight + kLaunchHeight / 2; }

  std::uint64_t x(SimTime time) const {
    return time_.x(std::clamp(time, view_.record.first_dispatch, view_.record.end));
  }

  /// A piece that has begun and not ended lasts until the end of the run.
  std::string piece(std::string_view name, std::size_t row, const std::optional<SimTime>& from,
                    const std::optional<SimTime>& to, std::uint64_t inset) const {
    if (!from) return {};
    PathData box;
    const std::uint64_t left = x(*from);
    const std::uint64_t right = x(to.value_or(view_.record.end));
    if (left >= right) return {};
    box.box(left, row * kLaunchHeight + inset, right, (row + 1) * kLaunchHeight - inset);
    return path_element(name, box);
  }

  /// Every launch of the critical path in one row. Launches that would be drawn on the same pixels are merged.
  std::string whole_path() const {
    constexpr std::uint64_t apart = kPlotWidth / 2'000;
    PathData boxes;
    std::uint64_t left = 0, right = 0;
    const auto flush = [&] {
      if (right > left) boxes.box(left, 4, right, kLaunchHeight - 4);
    };
    for (const LaunchId id : view_.record.critical_path) {
      const LaunchRecord& launch = view_.record.launches[index_of(id)];
      if (!launch.first_dispatched) continue;
      const std::uint64_t from = x(*launch.first_dispatched), to = x(launch.ended.value_or(view_.record.end));
      if (from > right + apart || right == 0) {
        flush();
        left = from;
      }
      right = std::max({right, to, from + 1});
    }
    flush();
    return "<g><title>" + std::to_string(view_.record.critical_path.size()) + " launches of the critical path</title>" +
           path_element("busy", boxes) + "</g>";
  }

  std::string bars(std::size_t id, std::size_t row) {
    const LaunchRecord& launch = view_.record.launches[id];
    std::string shapes =
        piece("queue", row, launch.ready, launch.first_dispatched, 9) +
        piece("part", row, launch.first_dispatched, launch.fully_dispatched, 4) +
        (view_.launches[id].is_without_kernel ? piece("copy", row, launch.fully_dispatched, launch.ended, 7)
                                              : piece("busy", row, launch.fully_dispatched, launch.ended, 4));
    if (view_.is_critical(id)) shapes += piece("edge", row, launch.first_dispatched, launch.ended, 3);
    if (launch.first_dispatched && !launch.ended)
      open_.torn_edge(kPlotWidth, row * kLaunchHeight + 4, (row + 1) * kLaunchHeight - 4);
    return "<g><title>" + markup_text(title(id)) + "</title>" + shapes + "</g>";
  }

  std::string title(std::size_t row) const {
    const LaunchRecord& launch = view_.record.launches[row];
    std::string text = shortened(view_.launches[row].name, kLongestLaunchName) + " (" +
                       shortened(view_.launches[row].kernel, kLongestLaunchName) + ")";
    if (view_.launches[row].is_remote) return text;  // its times belong to another device
    if (launch.first_dispatched) text += ": from " + to_text(*launch.first_dispatched);
    if (launch.ended) {
      text += " to " + to_text(*launch.ended);
    } else {
      text += launch.first_dispatched ? ", had not ended" : ", had not begun";
    }
    const bool is_critical = view_.is_critical(row);
    if (is_critical) text += "; critical";
    if (launch.slack && !is_critical) text += "; slack " + to_text(*launch.slack);
    const std::string waits = waits_text(launch.waited, view_.terms, to_text, view_.launches[row].hardware_queue);
    return waits.empty() ? text : text + "; waited for " + waits;
  }

  bool is_on_path(std::size_t before, std::size_t launch) const {
    const auto found = before_on_path_.find(launch);
    return found != before_on_path_.end() && found->second == before;
  }

  /// Draws lines from the predecessors that are shown: either those on the critical path or the others.
  void connect_with_earlier(std::size_t launch, bool on_path) {
    for (const std::size_t before : view_.launches[launch].after) {
      const auto found = place_of_.find(before);
      if (found == place_of_.end() || is_on_path(before, launch) != on_path) continue;
      if (lines_drawn_ < kMaxLaunchLines) {
        connect(before, found->second, launch, place_of_.at(launch));
      } else {
        ++plot_.lines_left_out;
      }
    }
  }

  /// Draws a line from the end of `before` down to the row of the launch that waited for it, and along this row to its
  /// ready time, where its bar begins.
  void connect(std::size_t before, std::size_t row_before, std::size_t launch, std::size_t row) {
    const auto& ended = view_.record.launches[before].ended;
    if (!ended) return;
    ++lines_drawn_;
    const std::uint64_t at = x(*ended);
    const auto& ready = view_.record.launches[launch].ready;
    PathData& lines = is_on_path(before, launch) ? critical_lines_ : lines_;
    lines.move(at, middle(row_before)).down(middle(row)).across(ready ? std::max(x(*ready), at) : at);
    dots_.move(at, middle(row_before)).across(at);
  }

  const RunView& view_;
  const LaunchSelection& selection_;
  TimeScale time_;
  std::unordered_map<std::size_t, std::size_t> before_on_path_;  ///< by launch
  std::unordered_map<std::size_t, std::size_t> place_of_;        ///< row of each shown launch
  std::size_t lines_drawn_ = 0;
  LaunchPlot plot_;
  PathData lines_;
  PathData critical_lines_;
  PathData dots_;
  PathData open_;
};

}  // namespace

LaunchPlot launch_plot(const RunView& view, const LaunchSelection& selection) {
  return LaunchDrawing(view, selection).draw();
}

}  // namespace gdsim
