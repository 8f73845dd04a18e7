#include <gdsim/report/plot/launch_plot.hpp>

#include <gdsim/report/markup.hpp>
#include <gdsim/report/plot/path_data.hpp>
#include <gdsim/report/plot/plot_scale.hpp>
#include <gdsim/report/wait_words.hpp>

#include <algorithm>

namespace gdsim {
namespace {

class LaunchDrawing {
 public:
  explicit LaunchDrawing(const RunView& view) : view_(view), time_(view.record.start, view.record.end) {}

  RowPlot draw() {
    RowPlot plot;
    plot.rows = std::min(view_.launches.size(), kMaxLaunchesDrawn);
    plot.height = plot.rows * kLaunchHeight;
    for (std::size_t row = 0; row < plot.rows; ++row) {
      plot.shapes += bars(row);
      for (const std::size_t before : view_.launches[row].after)
        if (before < plot.rows) connect(before, row);
    }
    plot.shapes += path_element("after", lines_) + path_element("after critical", critical_lines_) +
                   path_element("dot", dots_) + path_element("open", open_);
    return plot;
  }

 private:
  static std::uint64_t middle(std::size_t row) { return row * kLaunchHeight + kLaunchHeight / 2; }

  std::uint64_t x(SimTime time) const { return time_.x(std::clamp(time, view_.record.start, view_.record.end)); }

  /// What has begun and not ended lasts until the end of the run.
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

  std::string bars(std::size_t row) {
    const LaunchRecord& launch = view_.record.launches[row];
    std::string shapes = piece("queue", row, launch.ready, launch.first_dispatched, 9) +
                         piece("part", row, launch.first_dispatched, launch.fully_dispatched, 4) +
                         (view_.launches[row].is_copy ? piece("copy", row, launch.fully_dispatched, launch.ended, 7)
                                                      : piece("busy", row, launch.fully_dispatched, launch.ended, 4));
    if (view_.is_critical(row)) shapes += piece("edge", row, launch.first_dispatched, launch.ended, 3);
    if (launch.first_dispatched && !launch.ended)
      open_.torn_edge(kPlotWidth, row * kLaunchHeight + 4, (row + 1) * kLaunchHeight - 4);
    return "<g><title>" + markup_text(title(row)) + "</title>" + shapes + "</g>";
  }

  std::string title(std::size_t row) const {
    const LaunchRecord& launch = view_.record.launches[row];
    std::string text = view_.launches[row].name + " (" + view_.launches[row].kernel + ")";
    if (launch.first_dispatched) text += ": from " + to_text(*launch.first_dispatched);
    if (launch.ended) {
      text += " to " + to_text(*launch.ended);
    } else {
      text += launch.first_dispatched ? ", had not ended" : ", had not begun";
    }
    const bool is_critical = view_.is_critical(row);
    if (is_critical) text += "; critical";
    if (launch.slack && !is_critical) text += "; slack " + to_text(*launch.slack);
    const std::string waits = waits_text(launch.waited, view_.terms);
    return waits.empty() ? text : text + "; waited for " + waits;
  }

  bool is_on_path(std::size_t before, std::size_t row) const {
    const auto& path = view_.record.critical_path;
    for (std::size_t i = 1; i < path.size(); ++i)
      if (index_of(path[i - 1]) == before && index_of(path[i]) == row) return true;
    return false;
  }

  /// From an end down to the row of the launch that waited for it, and along that until it was ready: there its own bar
  /// begins.
  void connect(std::size_t before, std::size_t row) {
    const auto& ended = view_.record.launches[before].ended;
    if (!ended) return;
    const std::uint64_t at = x(*ended);
    const auto& ready = view_.record.launches[row].ready;
    PathData& lines = is_on_path(before, row) ? critical_lines_ : lines_;
    lines.move(at, middle(before)).down(middle(row)).across(ready ? std::max(x(*ready), at) : at);
    dots_.move(at, middle(before)).across(at);
  }

  const RunView& view_;
  TimeScale time_;
  PathData lines_;
  PathData critical_lines_;
  PathData dots_;
  PathData open_;
};

}  // namespace

RowPlot launch_plot(const RunView& view) { return LaunchDrawing(view).draw(); }

}  // namespace gdsim
