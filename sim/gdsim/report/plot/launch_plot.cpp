#include <gdsim/report/plot/launch_plot.hpp>

#include <gdsim/report/markup.hpp>
#include <gdsim/report/plot/path_data.hpp>
#include <gdsim/report/plot/plot_scale.hpp>

#include <algorithm>

namespace gdsim {
namespace {

class LaunchDrawing {
 public:
  explicit LaunchDrawing(const RunView& view) : view_(view), time_(view.start, view.end) {}

  RowPlot draw() {
    RowPlot plot;
    plot.rows = std::min(view_.launches.size(), kMostLaunchesDrawn);
    plot.height = plot.rows * kLaunchHeight;
    PathData lines;
    PathData dots;
    for (std::size_t row = 0; row < plot.rows; ++row) {
      plot.shapes += bars(row);
      for (const std::size_t before : view_.launches[row].after)
        if (before < plot.rows) connect(before, row, lines, dots);
    }
    plot.shapes += path_element("after", lines) + path_element("dot", dots);
    return plot;
  }

 private:
  static std::uint64_t middle(std::size_t row) { return row * kLaunchHeight + kLaunchHeight / 2; }

  std::uint64_t x(Picoseconds time) const { return time_.x(std::clamp(time, view_.start, view_.end)); }

  /// What has begun and not ended lasts until the end of the run.
  std::string piece(std::string_view name, std::size_t row, const std::optional<Picoseconds>& from,
                    const std::optional<Picoseconds>& to, std::uint64_t inset) const {
    if (!from) return {};
    PathData box;
    const std::uint64_t left = x(*from);
    const std::uint64_t right = x(to.value_or(view_.end));
    if (left >= right) return {};
    box.box(left, row * kLaunchHeight + inset, right, (row + 1) * kLaunchHeight - inset);
    return path_element(name, box);
  }

  std::string bars(std::size_t row) const {
    const LaunchRow& launch = view_.launches[row];
    std::string title = launch.name + " (" + launch.kernel + ")";
    if (launch.first_dispatched) title += ": from " + to_text(*launch.first_dispatched);
    if (launch.ended) title += " to " + to_text(*launch.ended);
    return "<g><title>" + markup_text(title) + "</title>" +
           piece("queue", row, launch.ready, launch.first_dispatched, 9) +
           piece("part", row, launch.first_dispatched, launch.fully_dispatched, 4) +
           piece("busy", row, launch.fully_dispatched, launch.ended, 4) + "</g>";
  }

  void connect(std::size_t before, std::size_t row, PathData& lines, PathData& dots) const {
    const auto& ended = view_.launches[before].ended;
    if (!ended) return;
    const std::uint64_t at = x(*ended);
    const auto& begun = view_.launches[row].first_dispatched;
    lines.move(at, middle(before)).down(middle(row)).across(begun ? std::max(x(*begun), at) : at);
    dots.move(at, middle(before)).across(at);
  }

  const RunView& view_;
  TimeScale time_;
};

}  // namespace

RowPlot launch_plot(const RunView& view) { return LaunchDrawing(view).draw(); }

}  // namespace gdsim
