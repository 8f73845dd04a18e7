#include <gdsim/page/plot/plots.hpp>

#include <gdsim/analysis/lanes.hpp>
#include <gdsim/analysis/levels.hpp>
#include <gdsim/analysis/words.hpp>
#include <gdsim/page/markup.hpp>
#include <gdsim/page/plot/plot_scale.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <tuple>

namespace gdsim {
namespace {

constexpr std::size_t kMaxRows = 256;
constexpr std::size_t kMaxCells = 60'000;
constexpr std::size_t kMaxColumns = 512;
constexpr std::uint64_t kRowHeight = 10;

/// Thread-picoseconds of neighboring cores, by column.
class HeatRow {
 public:
  void add(const std::vector<Bin>& bins) {
    sums_.resize(bins.size());
    for (std::size_t i = 0; i < bins.size(); ++i) {
      sums_[i].integral += bins[i].integral;
      sums_[i].begin = bins[i].begin;
      sums_[i].end = bins[i].end;
    }
    ++cores_;
  }

  /// Shade 0 is only for empty cells and the last one only for full cells.
  std::size_t shade(std::size_t column, std::uint64_t contexts_per_core) const {
    const Bin& sum = sums_[column];
    const UInt128 full = UInt128{contexts_per_core} * cores_ * static_cast<std::uint64_t>((sum.end - sum.begin).count);
    if (sum.integral == 0) return 0;
    if (sum.integral >= full) return kHeatShades - 1;
    return 1 + static_cast<std::size_t>(sum.integral * (kHeatShades - 2) / full);
  }

  std::size_t columns() const { return sums_.size(); }
  const Bin& column(std::size_t i) const { return sums_[i]; }

 private:
  std::vector<Bin> sums_;
  std::size_t cores_ = 0;
};

void draw(const HeatRow& row, std::uint64_t y, const TimeScale& time, std::uint64_t contexts_per_core,
          std::array<PathData, kHeatShades>& paths) {
  for (std::size_t i = 0; i < row.columns();) {
    const std::size_t shade = row.shade(i, contexts_per_core);
    std::size_t next = i + 1;
    while (next < row.columns() && row.shade(next, contexts_per_core) == shade) ++next;
    if (shade > 0) paths[shade].move(time.x(row.column(i).begin), y).across(time.x(row.column(next - 1).end));
    i = next;
  }
}

}  // namespace

std::size_t heat_cores_per_row(const RunView& view) { return (view.cores + kMaxRows - 1) / kMaxRows; }

std::size_t heat_columns(const RunView& view) {
  const std::size_t per_row = heat_cores_per_row(view);
  const std::size_t rows = (view.cores + per_row - 1) / per_row;
  const std::size_t columns = std::clamp<std::size_t>(kMaxCells / rows, 64, kMaxColumns);
  return std::min(columns, static_cast<std::size_t>(view.record.active().count));
}

RowPlot heat_plot(const RunView& view) {
  const TimeScale time(view.record.first_dispatch, view.record.end);
  const auto cores = core_levels(view.core_points, view.cores);
  const std::size_t per_row = heat_cores_per_row(view);
  RowPlot plot;
  plot.rows = (view.cores + per_row - 1) / per_row;
  plot.height = plot.rows * kRowHeight;
  const std::size_t columns = heat_columns(view);
  std::array<PathData, kHeatShades> paths;
  for (std::size_t row = 0; row < plot.rows; ++row) {
    HeatRow sums;
    for (std::size_t core = row * per_row; core < std::min<std::size_t>((row + 1) * per_row, view.cores); ++core)
      sums.add(bins_of(cores[core].resident, view.record.first_dispatch, view.record.end, columns));
    draw(sums, row * kRowHeight + kRowHeight / 2, time, view.record.contexts_per_core, paths);
  }
  for (std::size_t shade = 1; shade < kHeatShades; ++shade)
    plot.shapes += path_element("h" + std::to_string(shade), paths[shade]);
  return plot;
}

namespace {

/// Every work-group's title has its launch's name, which is shortened to this length.
constexpr std::size_t kLongestName = 100;

/// One work-group on one core, from its placement to its departure.
struct GroupSpan {
  CoreId core{};
  std::size_t lane = 0;
  std::vector<GroupPoint> points;
};

std::string_view class_of(const GroupState& state) {
  if (state.placement == GroupPlacement::saved) return "queue";
  const bool is_partial = state.placement == GroupPlacement::partial;
  if (state.running() == 0) return is_partial ? "wait part" : "wait";
  if (state.waiting > 0) return is_partial ? "some part" : "some";
  return is_partial ? "part" : "busy";
}

class GroupDrawing {
 public:
  explicit GroupDrawing(const RunView& view)
      : view_(view), time_(view.record.first_dispatch, view.record.end), lanes_(view.cores) {}

  GroupPlot draw() {
    for (const GroupPoint& point : view_.group_points) take(point);
    GroupPlot plot;
    std::vector<std::uint64_t> tops;
    for (const Lanes& lanes : lanes_) {
      tops.push_back(plot.height);
      plot.lanes.push_back(std::max<std::size_t>(lanes.count(), 1));
      plot.height += plot.lanes.back() * kLaneHeight + kCoreGap;
    }
    for (const GroupSpan& span : spans_) plot.shapes += bar(span, tops[index_of(span.core)] + span.lane * kLaneHeight);
    return plot;
  }

 private:
  using Key = std::tuple<LaunchId, WorkGroupId, CoreId>;

  void take(const GroupPoint& point) {
    const GroupChange& change = point.change;
    const Key key{change.launch, change.work_group, change.core};
    Lanes& lanes = lanes_[index_of(change.core)];
    if (change.kind == GroupChange::Event::comes) {
      open_[key] = spans_.size();
      spans_.push_back({change.core, lanes.take(), {}});
    }
    GroupSpan& span = spans_[open_.at(key)];
    span.points.push_back(point);
    if (change.kind == GroupChange::Event::leaves) {
      lanes.release(span.lane);
      open_.erase(key);
    }
  }

  std::string bar(const GroupSpan& span, std::uint64_t top) const {
    std::uint32_t max = 1;
    for (const GroupPoint& point : span.points) max = std::max(max, point.change.state.threads);
    const GroupChange& first = span.points.front().change;
    std::string title = fmt::format("{} {} of {} on {} {}", view_.terms.work_group, number_of(first.work_group),
                                    shortened(view_.launches[index_of(first.launch)].name, kLongestName),
                                    view_.terms.core, index_of(span.core));
    std::string shapes;
    for (std::size_t i = 0; i < span.points.size(); ++i) {
      const auto& [from, change] = span.points[i];
      const SimTime to = i + 1 < span.points.size() ? span.points[i + 1].time : view_.record.end;
      if (change.kind == GroupChange::Event::leaves || change.state.threads == 0 || from == to) continue;
      title +=
          fmt::format("; {} to {}: {} {}s, {}", to_text(from), to_text(to), change.state.threads, view_.terms.thread,
                      words_for(change.state, view_.launches[index_of(first.launch)].exchanges));
      const std::uint64_t space = kLaneHeight - 3;
      const std::uint64_t height = std::max<std::uint64_t>(space * change.state.threads / max, 3);
      PathData box;
      box.box(time_.x(from), top + kLaneHeight - 1 - height, std::max(time_.x(to), time_.x(from) + 1),
              top + kLaneHeight - 1);
      shapes += path_element(class_of(change.state), box);
    }
    if (span.points.back().change.kind != GroupChange::Event::leaves) {
      PathData edge;
      shapes += path_element("open", edge.torn_edge(kPlotWidth, top + 2, top + kLaneHeight - 1));
      title += "; had not ended";
    }
    return fmt::format("<g><title>{}</title>{}</g>", markup_text(title), shapes);
  }

  const RunView& view_;
  TimeScale time_;
  std::vector<Lanes> lanes_;
  std::vector<GroupSpan> spans_;
  std::map<Key, std::size_t> open_;
};

}  // namespace

GroupPlot group_plot(const RunView& view) { return GroupDrawing(view).draw(); }

}  // namespace gdsim
