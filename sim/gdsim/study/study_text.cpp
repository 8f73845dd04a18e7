#include <gdsim/study/study_text.hpp>

#include <gdsim/base/printable.hpp>
#include <gdsim/base/quantity.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace gdsim {
namespace {

constexpr std::uint64_t kMaxTextRows = 40;
constexpr std::uint64_t kBestOfMany = 10;

std::string tenths(const std::optional<std::int64_t>& ten_thousandths, std::string_view unit) {
  if (!ten_thousandths) return {};
  return to_fixed({static_cast<UInt128>(*ten_thousandths), 10'000}, 1) + std::string(unit);
}

std::string duration_text(const PointResult& result) {
  return result.duration ? to_rounded_text(Duration{*result.duration}) : std::string();
}

/// Columns as wide as their widest cell; the last one is ragged.
class TextTable {
 public:
  explicit TextTable(std::vector<std::string> header) { add(std::move(header)); }

  void add(std::vector<std::string> cells) {
    widths_.resize(std::max(widths_.size(), cells.size()));
    for (std::size_t i = 0; i < cells.size(); ++i) widths_[i] = std::max(widths_[i], cells[i].size());
    rows_.push_back(std::move(cells));
  }

  std::string text() const {
    std::string text;
    for (const auto& row : rows_) {
      std::string line;
      for (std::size_t i = 0; i < row.size(); ++i)
        line += i + 1 < row.size() ? fmt::format("{:>{}}  ", row[i], widths_[i]) : row[i];
      while (line.ends_with(' ')) line.pop_back();
      text += line + "\n";
    }
    return text;
  }

 private:
  std::vector<std::vector<std::string>> rows_;
  std::vector<std::size_t> widths_;
};

std::vector<std::string> header_of(const PointSpace& space) {
  std::vector<std::string> cells;
  for (const Axis& axis : space.axes()) cells.push_back(printable(axis.name));
  for (const char* name : {"rank", "duration", "speed-up", "peak", "mean", "fits", "waves", "limited by"})
    cells.emplace_back(name);
  return cells;
}

std::vector<std::string> cells_of(const StudyRow& row, const PointSpace& space) {
  constexpr std::size_t longest_reason = 100;
  std::vector<std::string> cells;
  const PointResult& result = row.result;
  for (std::size_t axis = 0; axis < space.axes().size(); ++axis)
    cells.push_back(printable(space.value(row.ordinal, axis)));
  cells.push_back(row.rank ? std::to_string(*row.rank) : "-");
  cells.push_back(duration_text(result));
  cells.push_back(row.speedup ? to_fixed(*row.speedup, 2) : "");
  cells.push_back(tenths(result.peak_occupancy, " %"));
  cells.push_back(tenths(result.mean_occupancy, " %"));
  cells.push_back(tenths(result.fit_occupancy, " %"));
  cells.push_back(result.waves ? to_fixed({static_cast<UInt128>(*result.waves), 10'000}, 2) : "");
  std::string reason = printable(result.reason);
  if (reason.size() > longest_reason) reason = reason.substr(0, longest_reason) + "...";
  cells.push_back(result.status == PointStatus::ok ? result.limiter
                                                   : std::string(name_of(result.status)) + ": " + reason);
  return cells;
}

}  // namespace

std::optional<std::int64_t> metric_value(const PointResult& result, const Metric& metric) {
  if (metric.name == "duration") return result.duration;
  if (metric.name == "mean_occupancy") return result.mean_occupancy;
  if (metric.name == "peak_occupancy") return result.peak_occupancy;
  if (metric.name == "fit_occupancy") return result.fit_occupancy;
  if (metric.name == "waves") return result.waves;
  return result.work_groups_per_core;
}

std::string metric_value_text(std::int64_t value, const Metric& metric) {
  if (metric.name == "duration") return to_rounded_text(Duration{value});
  if (metric.name == "work_groups_per_core") return std::to_string(value);
  const bool is_waves = metric.name == "waves";
  return to_fixed({static_cast<UInt128>(value), 10'000}, is_waves ? 2 : 1) + (is_waves ? "" : " %");
}

std::string metric_text(const StudyRow& row, const Metric& metric) {
  const auto value = metric_value(row.result, metric);
  return value ? metric_value_text(*value, metric) : std::string();
}

std::string best_sentence(const StudyTable& table) {
  const auto best = table.best();
  if (!best) return "No point is ok.";
  const PointResult& result = best->result;
  std::string text = fmt::format("The best is {}: {}", printable(table.space().name_of(best->ordinal)),
                                 metric_text(*best, table.metric()));
  if (table.metric().name != "duration") text += " " + std::string(table.metric().words) + ", " + duration_text(result);
  if (best->speedup && best->speedup->numerator != best->speedup->denominator)
    text += fmt::format(", {} times as fast as {}", to_fixed(*best->speedup, 2),
                        printable(table.space().name_of(*table.baseline())));
  if (result.work_groups_per_core && !result.limiter.empty())
    text += fmt::format("; {} work-group{} per core fit{}, limited by {}", *result.work_groups_per_core,
                        *result.work_groups_per_core == 1 ? "" : "s", *result.work_groups_per_core == 1 ? "s" : "",
                        result.limiter);
  return text + ".";
}

std::string study_text(const StudyTable& table) {
  std::string text = printable(table.identity().title) + "\n" + fmt::format("{} points:", table.points());
  const char* separator = " ";
  for (const PointStatus status :
       {PointStatus::ok, PointStatus::deadlocked, PointStatus::refused, PointStatus::interrupted}) {
    if (table.count(status) == 0) continue;
    text += fmt::format("{}{} {}", separator, table.count(status), name_of(status));
    separator = ", ";
  }
  text += "\n\n";
  TextTable rows(header_of(table.space()));
  const auto add = [&](const StudyRow& row) { rows.add(cells_of(row, table.space())); };
  const bool is_long = table.rows() > kMaxTextRows;
  if (is_long) {
    table.for_best(kBestOfMany, add);
  } else {
    table.for_each(add);
  }
  text += rows.text() + "\n";
  if (is_long) text += fmt::format("These are the {} best; --format csv and -o FILE.csv have all rows.\n", kBestOfMany);
  return text + best_sentence(table) + "\n";
}

}  // namespace gdsim
