#include <gdsim/page/plot/launch_plot.hpp>

#include <gdsim/analysis/words.hpp>
#include <gdsim/page/markup.hpp>
#include <gdsim/page/plot/plot_scale.hpp>

#include <algorithm>
#include <unordered_map>
#include <utility>

namespace gdsim {
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
    std::string shapes = piece("queue", row, launch.ready, launch.first_dispatched, 9) +
                         piece("part", row, launch.first_dispatched, launch.fully_dispatched, 4) +
                         (view_.launches[id].is_copy ? piece("copy", row, launch.fully_dispatched, launch.ended, 7)
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
