#include <gdsim/sweep/study_marks.hpp>

#include <gdsim/base/quantity.hpp>
#include <gdsim/page/markup.hpp>
#include <gdsim/sweep/study_text.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace gdsim {
namespace {

/// If the largest value of a scale is more than this multiple of the smallest, the scale is logarithmic.
constexpr double kFarApart = 3;
/// The maximum distance of a value on the scale from the third quartile, in multiples of the interquartile range.
constexpr double kFence = 3;

double number(std::int64_t value) { return static_cast<double>(value); }

/// Returns the distances of the values from the best one, from the best to the worst: of their logarithms if all have
/// one.
std::vector<double> distances(const std::vector<std::int64_t>& from_best) {
  const bool have_logarithms = *std::min_element(from_best.begin(), from_best.end()) > 0;
  const auto of = [&](std::int64_t value) { return have_logarithms ? std::log2(number(value)) : number(value); };
  std::vector<double> found;
  for (const std::int64_t value : from_best) found.push_back(std::abs(of(value) - of(from_best.front())));
  return found;
}

/// Returns the number of values, from the best on, that are on the scale.
std::size_t count_on_scale(const std::vector<std::int64_t>& from_best) {
  const std::vector<double> far = distances(from_best);
  const std::size_t last = far.size() - 1;
  const double first_quartile = far[(far.size() + 3) / 4 - 1], third_quartile = far[(3 * far.size() + 3) / 4 - 1];
  const double height = third_quartile - first_quartile;
  if (height <= 0) return far.size();
  const double fence = third_quartile + kFence * height;
  return far[last] <= fence ? far.size()
                            : static_cast<std::size_t>(std::upper_bound(far.begin(), far.end(), fence) - far.begin());
}

}  // namespace

StudyShades::StudyShades(std::vector<std::int64_t> values, bool largest_is_best) : largest_is_best_(largest_is_best) {
  if (values.empty()) return;
  std::sort(values.begin(), values.end());
  if (largest_is_best) std::reverse(values.begin(), values.end());
  const std::size_t on_scale = count_on_scale(values);
  best_ = values.front();
  worst_ = values[on_scale - 1];
  has_beyond_ = on_scale < values.size();
  const std::int64_t least = std::min(best_, worst_), most = std::max(best_, worst_);
  is_logarithmic_ = least > 0 && number(most) > kFarApart * number(least);
}

double StudyShades::goodness(std::int64_t value) const {
  const std::int64_t kept = largest_is_best_ ? std::max(value, worst_) : std::min(value, worst_);
  if (best_ == worst_) return value == best_ ? 1 : 0;
  const double share = is_logarithmic_
                           ? std::log2(number(kept) / number(best_)) / std::log2(number(worst_) / number(best_))
                           : number(kept - best_) / number(worst_ - best_);
  return 1 - share;
}

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
  if (result.duration) text += to_rounded_text(Duration{*result.duration});
  if (table_.metric().name != "duration")
    text +=
        (result.duration ? ", " : "") + std::string(table_.metric().words) + " " + metric_text(row, table_.metric());
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
