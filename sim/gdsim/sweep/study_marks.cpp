#include <gdsim/sweep/study_marks.hpp>

#include <gdsim/base/quantity.hpp>
#include <gdsim/report/markup.hpp>
#include <gdsim/sweep/study_text.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace gdsim {
StudyMarks::StudyMarks(const StudyTable& table) : table_(table) {
  table.for_each([this](const StudyRow& row) { rows_.push_back(row); });
  bool is_first = true;
  std::vector<std::int64_t> values;
  for (const StudyRow& row : rows_) {
    const auto one = value(row);
    if (!one) continue;
    min_ = is_first ? *one : std::min(min_, *one);
    max_ = is_first ? *one : std::max(max_, *one);
    is_first = false;
    values.push_back(*one);
  }
  shades_ = StudyShades(std::move(values), table.metric().largest_is_best);
}

std::optional<std::int64_t> StudyMarks::value(const StudyRow& row) const {
  return metric_value(row.result, table_.metric());
}

std::string StudyMarks::words(const StudyRow& row) const {
  const PointResult& result = row.result;
  std::string text = table_.space().name_of(row.ordinal) + ": ";
  if (result.status != PointStatus::ok)
    return text + std::string(name_of(result.status)) + ", " + shortened(result.reason, 200);
  text += to_rounded_text(Duration{*result.duration});
  if (table_.metric().name != "duration")
    text += ", " + std::string(table_.metric().words) + " " + metric_text(row, table_.metric());
  if (row.rank) text += fmt::format(", rank {} of {}", *row.rank, table_.count(PointStatus::ok));
  if (row.speedup && row.speedup->numerator != row.speedup->denominator)
    text +=
        fmt::format(", {} times as fast as {}", to_fixed(*row.speedup, 2), table_.space().name_of(*table_.baseline()));
  if (!result.limiter.empty()) text += ", limited by " + result.limiter;
  return text;
}

std::string StudyMarks::open(const StudyRow& row, std::size_t column, std::size_t line) const {
  const bool is_best = row.rank && *row.rank == 1;
  const std::string said = markup_text((is_best ? "Best: " : "") + words(row));
  return fmt::format(
      "<g class=\"mark {}{}\" tabindex=\"{}\" role=\"img\" data-at=\"{},{}\" aria-label=\"{}\"><title>{}</title>",
      name_of(row.result.status), is_best ? " best" : "", is_best ? 0 : -1, column, line, said, said);
}

}  // namespace gdsim
