#include <gdsim/report/text/chart_text.hpp>

#include <gdsim/analysis/levels.hpp>
#include <gdsim/analysis/time_series.hpp>
#include <gdsim/base/check.hpp>
#include <gdsim/base/text.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>
#include <string_view>

namespace gdsim {
namespace {

constexpr std::size_t kColumns = 60;
constexpr std::size_t kRows = 8;
constexpr std::uint64_t kEighths = 8;
constexpr std::size_t kMaxLanes = 8;

/// The characters of one character set.
struct GlyphSet {
  std::array<std::string_view, 9> eighths;
  std::string_view stalled, side, tick_left, tick_right, corner_left, corner_right, floor, begin, end;
};

constexpr GlyphSet kUnicode{{" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"}, "░", "│", "┤", "├", "└", "┘", "─", "├", "┤"};
constexpr GlyphSet kAscii{{" ", "_", "_", "_", "_", "=", "=", "=", "#"}, ".", "|", "+", "+", "+", "+", "-", "|", "|"};

/// Returns the mean of a bin, scaled to 0 ... `max`. A mean above 0 gives at least 1.
std::uint64_t height_of(const Bin& bin, std::uint64_t capacity, std::uint64_t max) {
  if (bin.integral == 0) return 0;
  const UInt128 whole = UInt128{capacity} * static_cast<std::uint64_t>((bin.end - bin.begin).count);
  return std::clamp(static_cast<std::uint64_t>((2 * max * bin.integral + whole) / (2 * whole)), std::uint64_t{1}, max);
}

class ChartText {
 public:
  ChartText(const RunReport& report, const GlyphSet& glyphs)
      : report_(report), record_(report.record), g_(glyphs), series_(time_series(report, *report.waits)) {}

  std::string write() {
    device();
    phases();
    if (report_.device.cores <= kMaxLanes) {
      lanes();
    } else {
      group_lanes();
    }
    legend();
    return std::move(text_);
  }

 private:
  static constexpr std::size_t kMargin = 10;

  std::vector<Bin> bins(std::span<const Level> levels) const {
    return bins_of(levels, record_.first_dispatch, record_.end, kColumns);
  }

  void device() {
    const ThreadLevels levels = device_levels(*report_.timeline);
    const auto resident = bins(levels.resident);
    for (const Bin& bin : resident) stacks_.push_back(stack_of(bin));
    for (std::size_t row = kRows; row-- > 0;) {
      axis_left(row);
      for (std::size_t i = 0; i < resident.size(); ++i) text_ += cell(resident[i], stacks_[i], row);
      axis_right(row);
    }
    text_ += fmt::format("{:>{}} {}", 0, kMargin - 1, g_.corner_left);
    repeat(g_.floor, resident.size());
    text_ += fmt::format("{} 0 %\n", g_.corner_right);
    const std::string start = to_rounded_text(record_.first_dispatch);
    const std::string end = to_rounded_text(record_.end);
    text_ += fmt::format("{}{}{:>{}}\n", std::string(kMargin + 1, ' '), start, end,
                         std::max(resident.size(), start.size() + end.size() + 1) - start.size());
  }

  void axis_left(std::size_t row) {
    const bool has_label = row + 1 == kRows || 2 * (row + 1) == kRows;
    const std::string label = has_label ? fmt::format("{}", record_.contexts_total * (row + 1) / kRows) : std::string();
    text_ += fmt::format("{:>{}} {}", label, kMargin - 1, has_label ? g_.tick_left : g_.side);
  }

  void axis_right(std::size_t row) {
    const bool has_label = row + 1 == kRows || 2 * (row + 1) == kRows;
    text_ +=
        has_label ? fmt::format("{} {} %\n", g_.tick_right, 100 * (row + 1) / kRows) : fmt::format("{}\n", g_.side);
  }

  /// Thread-picoseconds during the bin, in 1/10000, by column of the series (the first column is drawn lowest).
  std::vector<UInt128> stack_of(const Bin& bin) const {
    std::vector<UInt128> stack(series_.columns.size(), 0);
    for (const TimeSeries::Row& row : series_.rows) {
      const SimTime from = std::max(row.begin, bin.begin);
      const SimTime to = std::min(row.end, bin.end);
      if (from >= to) continue;
      for (std::size_t i = 0; i < stack.size(); ++i)
        stack[i] += UInt128{row.means[i]} * static_cast<std::uint64_t>((to - from).count);
    }
    return stack;
  }

  /// Cells are filled up to the number of resident threads. A full cell shows what most of its threads do.
  std::string_view cell(const Bin& resident, const std::vector<UInt128>& stack, std::size_t row) {
    const std::uint64_t floor = row * kEighths;
    const std::uint64_t all = height_of(resident, record_.contexts_total, kRows * kEighths);
    if (all < floor + kEighths) return g_.eighths[all > floor ? all - floor : 0];
    const UInt128 whole = UInt128{record_.contexts_total} * TimeSeries::kPerThread *
                          static_cast<std::uint64_t>((resident.end - resident.begin).count);
    const UInt128 bottom = whole * row / kRows;
    const UInt128 top = whole * (row + 1) / kRows;
    UInt128 sum = 0;
    UInt128 widest = 0;
    std::size_t found = 0;
    for (std::size_t i = 0; i < stack.size(); ++i) {
      const UInt128 from = std::max(bottom, sum);
      sum += stack[i];
      const UInt128 to = std::min(top, sum);
      if (to <= from || to - from <= widest) continue;
      widest = to - from;
      found = i;
    }
    if (found < 64) seen_ |= std::uint64_t{1} << found;
    return glyph(found);
  }

  std::string_view glyph(std::size_t column) const {
    if (column == 0) return g_.eighths[kEighths];
    const std::string_view letter = series_.columns[column].letter;
    return letter.empty() ? g_.stalled : letter;
  }

  void legend() {
    text_ += fmt::format("{}height: resident {}s; {} executing", std::string(kMargin + 1, ' '),
                         printable(report_.device.terms.thread), g_.eighths[kEighths]);
    std::string stalled;
    for (std::size_t i = 1; i < series_.columns.size(); ++i) {
      if ((seen_ >> i & 1U) == 0) continue;
      const TimeColumn& column = series_.columns[i];
      if (column.letter.empty()) {
        stalled += (stalled.empty() ? "" : ", or ") + column.words;
      } else {
        text_ += fmt::format("  {} {}", column.letter, printable(column.words));
      }
    }
    if (!stalled.empty()) text_ += fmt::format("  {} {}", g_.stalled, printable(stalled));
    text_ += "\n";
  }

  void repeat(std::string_view piece, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) text_ += piece;
  }

  std::size_t column_of(SimTime time) const {
    const auto span = static_cast<UInt128>(record_.active().count);
    const auto columns = std::min<UInt128>(kColumns, span);
    return static_cast<std::size_t>((2 * columns * static_cast<UInt128>((time - record_.first_dispatch).count) + span) /
                                    (2 * span));
  }

  /// Draws a bracket below every phase that is wide enough for its number.
  void phases() {
    text_ += std::string(kMargin + 1, ' ');
    std::size_t at = 0;
    for (const Phase& phase : record_.phases.phases) {
      const std::size_t from = column_of(phase.begin);
      const std::size_t to = column_of(phase.end);
      const std::string label = label_of(phase, to - from);
      if (label.empty() || from < at) continue;
      text_ += std::string(from - at, ' ');
      bracket(label, to - from);
      at = to;
    }
    while (text_.back() == ' ') text_.pop_back();
    if (text_.back() != '\n') text_ += "\n";
  }

  std::string label_of(const Phase& phase, std::size_t width) const {
    const std::string percent = to_fixed(phase.occupancy_percent(record_.contexts_total), 1) + " %";
    if (!phase.is_level()) {
      const std::string kind(name_of(phase.kind));
      for (const std::string& label : {" " + kind + ", " + percent + " ", kind})
        if (label.size() + 2 <= width) return label;
      return {};
    }
    const std::string number = std::to_string(phase.resident);
    const std::string thread = printable(report_.device.terms.thread);
    for (const std::string& label :
         {" " + number + " " + thread + "s, " + percent + " ", " " + number + ", " + percent + " ", number})
      if (label.size() + 2 <= width) return label;
    return {};
  }

  void bracket(const std::string& label, std::size_t width) {
    const std::size_t rest = width - label.size() - 2;
    text_ += g_.begin;
    repeat(g_.floor, rest / 2);
    text_ += label;
    repeat(g_.floor, rest - rest / 2);
    text_ += g_.end;
  }

  void lanes() {
    const auto cores = core_levels(report_.cores->points(), report_.device.cores);
    for (std::size_t core = 0; core < cores.size(); ++core)
      lane(fmt::format("{} {}", printable(report_.device.terms.core), core), cores[core],
           report_.device.contexts_per_core());
  }

  /// Draws groups if there are too many cores: those of the innermost level with few enough groups.
  void group_lanes() {
    std::vector<CoreGroup> groups = all_core_groups(report_.device);
    std::string level;
    for (const CoreGroupLevel& one : report_.device.core_groups) {
      const auto count =
          std::count_if(groups.begin(), groups.end(), [&](const CoreGroup& group) { return group.level == one.name; });
      if (count > 1 && count <= static_cast<std::ptrdiff_t>(kMaxLanes)) level = one.name;
    }
    if (level.empty()) return;
    groups.erase(
        std::remove_if(groups.begin(), groups.end(), [&](const CoreGroup& group) { return group.level != level; }),
        groups.end());
    text_ += fmt::format("{}each {}, by its number:\n", std::string(kMargin + 1, ' '), printable(level));
    const auto levels = core_group_levels(report_.cores->points(), report_.device.cores, groups);
    for (std::size_t i = 0; i < groups.size(); ++i)
      lane(std::to_string(groups[i].number), levels[i], groups[i].cores() * report_.device.contexts_per_core());
  }

  void lane(const std::string& name, const ThreadLevels& levels, std::uint64_t capacity) {
    text_ += fmt::format("{:>{}} {}", name, kMargin - 1, g_.side);
    for (const Bin& bin : bins(levels.resident)) text_ += g_.eighths[height_of(bin, capacity, kEighths)];
    text_ += fmt::format("{}\n", g_.side);
  }

  const RunReport& report_;
  const RunRecord& record_;
  const GlyphSet& g_;
  TimeSeries series_;
  std::vector<std::vector<UInt128>> stacks_;  ///< by column of the chart
  std::uint64_t seen_ = 0;                    ///< bit set of the columns of the series that a cell shows
  std::string text_;
};

}  // namespace

std::string chart_text(const RunReport& report, Glyphs glyphs) {
  GDSIM_CHECK(report.timeline != nullptr && report.cores != nullptr && report.waits != nullptr,
              "a chart needs the timelines and the waits to be kept");
  if (report.record.active().count == 0) return "There is nothing to draw: the run took no time.\n";
  return ChartText(report, glyphs == Glyphs::unicode ? kUnicode : kAscii).write();
}

}  // namespace gdsim
