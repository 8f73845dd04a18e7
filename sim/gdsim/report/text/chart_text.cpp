#include <gdsim/report/text/run_text.hpp>

#include <gdsim/analysis/levels.hpp>
#include <gdsim/analysis/time_series.hpp>
#include <gdsim/base/check.hpp>
#include <gdsim/base/text.hpp>
#include <gdsim/report/text/chart_launches.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace gdsim {
namespace {

constexpr std::uint64_t kEighths = 8;
constexpr std::size_t kRows = 8, kMaxLanes = 8, kMaxColors = 6;
/// Bytes of the labels to the left, at least.
constexpr std::size_t kMinLabel = 9;

/// What a thread does, as far as a chart without colors shows it.
enum class Shade : std::uint8_t { executes, waits_for_memory, waits_for_others, stalled };

/// The characters of one character set.
struct GlyphSet {
  std::array<std::string_view, 9> eighths;
  std::array<std::string_view, 4> shades;  ///< by Shade
  std::string_view side, tick_left, tick_right, corner_left, corner_right, floor, begin, end, gap;
};

constexpr GlyphSet kUnicode{
    {" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"}, {"█", "▓", "▒", "░"}, "│", "┤", "├", "└", "┘", "─", "├", "┤", "…"};
constexpr GlyphSet kAscii{
    {" ", "_", "_", "_", "_", "=", "=", "=", "#"}, {"#", "%", ":", "."}, "|", "+", "+", "+", "+", "-", "|", "|", "~"};

/// Classes of areas in pictures, and their colors of the 256 of terminals.
constexpr std::array<std::string_view, 12> kAreas{"t-run",  "t-access", "t-issue", "t-mem0",    "t-mem1",  "t-mem2",
                                                  "t-mem3", "t-mem4",   "t-slm",   "t-barrier", "t-child", "t-held"};
constexpr std::array<int, 12> kAreaColors{32, 37, 67, 140, 97, 61, 55, 54, 136, 166, 132, 102};
/// Those of kernels, the one with most time first; copies and others have the last.
constexpr std::array<int, kMaxColors + 1> kKernelColors{63, 130, 37, 127, 39, 100, 102};

Shade shade_of(std::string_view style) {
  if (style == "t-run" || style == "t-access") return Shade::executes;
  if (style.starts_with("t-mem")) return Shade::waits_for_memory;
  return style == "t-issue" || style == "t-slm" ? Shade::waits_for_others : Shade::stalled;
}

/// Returns the mean of a bin, scaled to 0 ... `max`. A mean above 0 gives at least 1.
std::uint64_t height_of(const Bin& bin, std::uint64_t capacity, std::uint64_t max) {
  if (bin.integral == 0) return 0;
  const UInt128 whole = UInt128{capacity} * static_cast<std::uint64_t>((bin.end - bin.begin).count);
  return std::clamp(static_cast<std::uint64_t>((2 * max * bin.integral + whole) / (2 * whole)), std::uint64_t{1}, max);
}

class ChartText {
 public:
  ChartText(const RunReport& report, const GlyphSet& glyphs, const ChartStyle& style)
      : report_(report),
        record_(report.record),
        g_(glyphs),
        is_colored_(style.is_colored),
        series_(time_series(report, *report.waits)),
        launches_(report, glyphs.gap) {
    for (const LaunchRows::Row& row : launches_.rows()) margin_ = std::max(margin_, row.label.size() + 1);
    columns_ = std::max<std::size_t>(style.width, margin_ + kMinColumns + 10) - margin_ - 10;
  }

  std::string write() {
    device();
    phases();
    launches();
    if (report_.device.cores <= kMaxLanes) {
      lanes();
    } else {
      group_lanes();
    }
    legend();
    return std::move(text_);
  }

 private:
  static constexpr std::size_t kMinColumns = 20;

  std::vector<Bin> bins(std::span<const Level> levels) const {
    return bins_of(levels, record_.first_dispatch, record_.end, columns_);
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
    text_ += fmt::format("{:>{}} {}", 0, margin_ - 1, g_.corner_left);
    repeat(g_.floor, resident.size());
    text_ += fmt::format("{} 0 %\n", g_.corner_right);
    const std::string start = to_rounded_text(record_.first_dispatch);
    const std::string end = to_rounded_text(record_.end);
    text_ += fmt::format("{}{}{:>{}}\n", std::string(margin_ + 1, ' '), start, end,
                         std::max(resident.size(), start.size() + end.size() + 1) - start.size());
  }

  void axis_left(std::size_t row) {
    const bool has_label = row + 1 == kRows || 2 * (row + 1) == kRows;
    const std::string label = has_label ? fmt::format("{}", record_.contexts_total * (row + 1) / kRows) : std::string();
    text_ += fmt::format("{:>{}} {}", label, margin_ - 1, has_label ? g_.tick_left : g_.side);
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
  std::string cell(const Bin& resident, const std::vector<UInt128>& stack, std::size_t row) {
    const std::uint64_t floor = row * kEighths;
    const std::uint64_t all = height_of(resident, record_.contexts_total, kRows * kEighths);
    if (all < floor + kEighths) return std::string(g_.eighths[all > floor ? all - floor : 0]);
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

  /// A full cell of what a column of the series shows.
  std::string glyph(std::size_t column) const {
    const std::string_view style = series_.columns[column].style;
    if (!is_colored_) return std::string(g_.shades[static_cast<std::size_t>(shade_of(style))]);
    const auto area = static_cast<std::size_t>(std::find(kAreas.begin(), kAreas.end(), style) - kAreas.begin());
    return colored(g_.eighths[kEighths], area < kAreas.size() ? kAreaColors[area] : kKernelColors.back());
  }

  std::string colored(std::string_view text, int color) const {
    return is_colored_ ? fmt::format("\x1b[38;5;{}m{}\x1b[0m", color, text) : std::string(text);
  }

  /// Each glyph, or each color, with all that it stands for.
  void legend() {
    std::vector<std::pair<std::string, std::string>> entries;
    for (std::size_t i = 0; i < series_.columns.size() && i < 64; ++i) {
      if ((seen_ >> i & 1U) == 0) continue;
      const std::string words = printable(series_.columns[i].words);
      const std::string sign = glyph(i);
      const auto known =
          std::find_if(entries.begin(), entries.end(), [&](const auto& entry) { return entry.first == sign; });
      if (known == entries.end()) {
        entries.emplace_back(sign, words);
      } else {
        known->second += ", or " + words;
      }
    }
    text_ +=
        fmt::format("{}height: resident {}s", std::string(margin_ + 1, ' '), printable(report_.device.terms.thread));
    for (std::size_t i = 0; i < entries.size(); ++i)
      text_ += (i == 0 ? "; " : "  ") + entries[i].first + " " + entries[i].second;
    text_ += "\n";
  }

  /// How busy each queue or kernel is, in the color of the kernel that takes most of the time.
  void launches() {
    if (launches_.rows().empty()) return;
    text_ += fmt::format("{}each {}, by the share of time in which a launch is in flight:\n",
                         std::string(margin_ + 1, ' '), launches_.are_queues() ? "queue" : "kernel");
    for (const LaunchRows::Row& row : launches_.rows()) launch_row(row);
    if (launches_.rows_left_out() > 0)
      text_ += fmt::format("{}and {} more\n", std::string(margin_ + 1, ' '), launches_.rows_left_out());
    if (is_colored_) kernel_legend();
  }

  void launch_row(const LaunchRows::Row& row) {
    const auto span = static_cast<UInt128>(record_.active().count);
    text_ += fmt::format("{:>{}} {}", row.label, margin_ - 1, g_.side);
    for (const auto& column : launches_.columns_of(row, columns_)) {
      UInt128 sum = 0, most = 0;
      std::size_t kernel = 0;
      for (const auto& [one, time] : column) {
        sum += time;
        if (time > most) kernel = one;
        most = std::max(most, time);
      }
      const auto height = static_cast<std::size_t>((std::min(sum, span) * kEighths + span - 1) / span);
      text_ += sum == 0 ? " " : colored(g_.eighths[height], kKernelColors[std::min(kernel, kMaxColors)]);
    }
    text_ += fmt::format("{}\n", g_.side);
  }

  void kernel_legend() {
    const std::vector<std::string>& names = launches_.kernels();
    text_ += std::string(margin_ + 1, ' ');
    for (std::size_t i = 0; i < names.size() && i < kMaxColors; ++i)
      text_ += colored(g_.eighths[kEighths], kKernelColors[i]) + " " + names[i] + "  ";
    if (names.size() > kMaxColors) text_ += colored(g_.eighths[kEighths], kKernelColors.back()) + " others";
    while (text_.back() == ' ') text_.pop_back();
    text_ += "\n";
  }

  void repeat(std::string_view piece, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) text_ += piece;
  }

  std::size_t column_of(SimTime time) const {
    const auto span = static_cast<UInt128>(record_.active().count);
    const auto columns = std::min<UInt128>(columns_, span);
    return static_cast<std::size_t>((2 * columns * static_cast<UInt128>((time - record_.first_dispatch).count) + span) /
                                    (2 * span));
  }

  /// Draws a bracket below every phase that is wide enough for its number.
  void phases() {
    text_ += std::string(margin_ + 1, ' ');
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
    for (const CoreGroupLevel& group_level : report_.device.core_groups) {
      const auto count = std::count_if(groups.begin(), groups.end(),
                                       [&](const CoreGroup& group) { return group.level == group_level.name; });
      if (count > 1 && count <= static_cast<std::ptrdiff_t>(kMaxLanes)) level = group_level.name;
    }
    if (level.empty()) return;
    std::erase_if(groups, [&](const CoreGroup& group) { return group.level != level; });
    text_ += fmt::format("{}each {}, by its number:\n", std::string(margin_ + 1, ' '), printable(level));
    const auto levels = core_group_levels(report_.cores->points(), report_.device.cores, groups);
    for (std::size_t i = 0; i < groups.size(); ++i)
      lane(std::to_string(groups[i].number), levels[i], groups[i].cores() * report_.device.contexts_per_core());
  }

  void lane(const std::string& name, const ThreadLevels& levels, std::uint64_t capacity) {
    text_ += fmt::format("{:>{}} {}", name, margin_ - 1, g_.side);
    for (const Bin& bin : bins(levels.resident)) text_ += g_.eighths[height_of(bin, capacity, kEighths)];
    text_ += fmt::format("{}\n", g_.side);
  }

  const RunReport& report_;
  const RunRecord& record_;
  const GlyphSet& g_;
  std::size_t margin_ = kMinLabel + 1;  ///< of labels and a blank
  std::size_t columns_ = 0;
  bool is_colored_;
  TimeSeries series_;
  LaunchRows launches_;
  std::vector<std::vector<UInt128>> stacks_;  ///< by column of the chart
  std::uint64_t seen_ = 1;                    ///< bit set of the columns of the series that a cell shows
  std::string text_;
};

}  // namespace

std::string chart_text(const RunReport& report, const ChartStyle& style) {
  GDSIM_CHECK(report.timeline != nullptr && report.cores != nullptr && report.waits != nullptr,
              "a chart needs the timelines and the waits to be kept");
  if (report.record.active().count == 0) return "There is nothing to draw: the run took no time.\n";
  ChartStyle fitting = style;
  fitting.width = std::max(fitting.width, kMinChartWidth);
  return ChartText(report, style.glyphs == Glyphs::unicode ? kUnicode : kAscii, fitting).write();
}

}  // namespace gdsim
