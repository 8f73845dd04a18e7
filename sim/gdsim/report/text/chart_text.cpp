#include <gdsim/report/text/chart_text.hpp>

#include <gdsim/base/check.hpp>
#include <gdsim/base/printable.hpp>
#include <gdsim/report/levels.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace gdsim {
namespace {

constexpr std::size_t kColumns = 60;
constexpr std::size_t kRows = 8;
constexpr std::uint64_t kEighths = 8;
constexpr std::size_t kMostLanes = 8;

/// The characters of one alphabet.
struct GlyphSet {
  std::array<std::string_view, 9> eighths;
  std::string_view stalled, side, tick_left, tick_right, corner_left, corner_right, floor, begin, end;
};

constexpr GlyphSet kUnicode{{" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"}, "░", "│", "┤", "├", "└", "┘", "─", "├", "┤"};
constexpr GlyphSet kAscii{{" ", "_", "_", "_", "_", "=", "=", "=", "#"}, ".", "|", "+", "+", "+", "+", "-", "|", "|"};

/// Where in 0 to `most` a mean lies; what is not nothing shows.
std::uint64_t height_of(const Bin& bin, std::uint64_t capacity, std::uint64_t most) {
  if (bin.integral == 0) return 0;
  const UInt128 whole = UInt128{capacity} * static_cast<std::uint64_t>((bin.end - bin.start).count);
  return std::clamp(static_cast<std::uint64_t>((2 * most * bin.integral + whole) / (2 * whole)), std::uint64_t{1},
                    most);
}

class ChartText {
 public:
  ChartText(const RunReport& report, const GlyphSet& glyphs) : report_(report), record_(report.record), g_(glyphs) {}

  std::string write() {
    device();
    phases();
    if (report_.device.cores <= kMostLanes) lanes();
    text_ +=
        fmt::format("{}height: resident {}s; {} mostly running  {} mostly stalled\n", std::string(kMargin + 1, ' '),
                    printable(report_.device.terms.thread), g_.eighths[kEighths], g_.stalled);
    return std::move(text_);
  }

 private:
  static constexpr std::size_t kMargin = 10;

  std::vector<Bin> bins(PointsView<Level> levels) const {
    return bins_of(levels, record_.start, record_.end, kColumns);
  }

  void device() {
    const ThreadLevels levels = device_levels(*report_.timeline);
    const auto resident = bins(levels.resident);
    const auto running = bins(levels.running);
    for (std::size_t row = kRows; row-- > 0;) {
      axis_left(row);
      for (std::size_t i = 0; i < resident.size(); ++i) text_ += cell(resident[i], running[i], row);
      axis_right(row);
    }
    text_ += fmt::format("{:>{}} {}", 0, kMargin - 1, g_.corner_left);
    repeat(g_.floor, resident.size());
    text_ += fmt::format("{} 0 %\n", g_.corner_right);
    const std::string start = to_rounded_text(record_.start);
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

  /// As high as resident threads are many; a full cell of more stalled than running ones has their shade.
  std::string_view cell(const Bin& resident, const Bin& running, std::size_t row) const {
    const std::uint64_t floor = row * kEighths;
    const std::uint64_t most = kRows * kEighths;
    const std::uint64_t run = height_of(running, record_.contexts_total, most);
    const std::uint64_t all = height_of(resident, record_.contexts_total, most);
    if (all < floor + kEighths) return g_.eighths[all > floor ? all - floor : 0];
    return run > floor && 2 * (run - floor) >= kEighths ? g_.eighths[kEighths] : g_.stalled;
  }

  void repeat(std::string_view piece, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) text_ += piece;
  }

  std::size_t column_of(Picoseconds time) const {
    const auto span = static_cast<UInt128>(record_.duration().count);
    const auto columns = std::min<UInt128>(kColumns, span);
    return static_cast<std::size_t>((2 * columns * static_cast<UInt128>((time - record_.start).count) + span) /
                                    (2 * span));
  }

  /// A bracket below every phase that is wide enough for its number.
  void phases() {
    text_ += std::string(kMargin + 1, ' ');
    std::size_t at = 0;
    for (const Phase& phase : record_.phases.phases) {
      const std::size_t from = column_of(phase.start);
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
    const std::string number = std::to_string(phase.resident);
    const std::string percent = to_fixed({UInt128{phase.resident} * 100, record_.contexts_total}, 1) + " %";
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
    for (std::size_t core = 0; core < cores.size(); ++core) {
      text_ += fmt::format("{:>{}} {}", fmt::format("{} {}", printable(report_.device.terms.core), core), kMargin - 1,
                           g_.side);
      const auto resident = bins(cores[core].resident);
      for (const Bin& bin : resident) text_ += g_.eighths[height_of(bin, report_.device.contexts_per_core(), kEighths)];
      text_ += fmt::format("{}\n", g_.side);
    }
  }

  const RunReport& report_;
  const RunRecord& record_;
  const GlyphSet& g_;
  std::string text_;
};

}  // namespace

std::string chart_text(const RunReport& report, Glyphs glyphs) {
  GDSIM_CHECK(report.timeline != nullptr && report.cores != nullptr, "a chart needs the timelines to be kept");
  if (report.record.duration().count == 0) return "There is nothing to draw: the run took no time.\n";
  return ChartText(report, glyphs == Glyphs::unicode ? kUnicode : kAscii).write();
}

}  // namespace gdsim
