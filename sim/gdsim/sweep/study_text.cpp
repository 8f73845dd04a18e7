#include <gdsim/sweep/study_writers.hpp>

#include <gdsim/analysis/words.hpp>
#include <gdsim/base/quantity.hpp>
#include <gdsim/base/text.hpp>
#include <gdsim/device/core_resources.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

namespace gdsim {
namespace {

constexpr std::uint64_t kMaxTextRows = 40;
constexpr std::uint64_t kBestOfMany = 10;

std::string duration_text(const PointResult& result) {
  return result.duration ? to_rounded_text(Duration{*result.duration}) : std::string();
}

constexpr std::array<std::string_view, 7> kShown{
    "rank", "duration_ns", "speedup", "peak_occupancy_percent", "mean_occupancy_percent", "fit_occupancy_percent",
    "waves"};

std::vector<std::string> header_of(const PointSpace& space) {
  std::vector<std::string> cells;
  for (const Axis& axis : space.axes()) cells.push_back(printable(axis.name));
  for (std::string& heading : study_columns().headings(kShown)) cells.push_back(std::move(heading));
  cells.push_back(study_columns().column("limiter").heading);
  return cells;
}

std::vector<std::string> cells_of(const StudyRow& row, const PointSpace& space) {
  constexpr std::size_t longest_reason = 100;
  std::vector<std::string> cells;
  const PointResult& result = row.result;
  for (std::size_t axis = 0; axis < space.axes().size(); ++axis)
    cells.push_back(printable(space.value(row.ordinal, axis)));
  for (std::string& words : study_columns().words(row, kShown)) cells.push_back(std::move(words));
  if (!row.rank) cells[space.axes().size()] = "-";
  std::string reason = printable(result.reason);
  if (reason.size() > longest_reason) reason = reason.substr(0, longest_reason) + "...";
  cells.push_back(result.status == PointStatus::ok ? result.limiter
                                                   : std::string(name_of(result.status)) + ": " + reason);
  return cells;
}

/// `threads+work_group_slots` in a vendor's words: `warp slots and block slots`.
std::string limiter_words(std::string_view limiter, const Terms& terms) {
  std::string words;
  while (!limiter.empty()) {
    const std::string_view name = limiter.substr(0, limiter.find('+'));
    limiter.remove_prefix(std::min(limiter.size(), name.size() + 1));
    std::string word(name);
    for (std::size_t i = 0; i < kResourceCount; ++i)
      if (name_of(static_cast<Resource>(i)) == name) word = words_for(static_cast<Resource>(i), terms);
    words += (words.empty() ? "" : " and ") + printable(word);
  }
  return words;
}

/// `3 blocks per SM`.
std::string fit_words(std::int64_t count, const Terms& terms) {
  return fmt::format("{} {}{} per {}", count, terms.work_group, count == 1 ? "" : "s", terms.core);
}

/// Returns a row's figure by which points are ranked, with its name unless it is a time.
std::string figure_words(const StudyRow& row, const Metric& metric, const Terms& terms) {
  const auto value = metric_value(row.result, metric);
  if (metric.unit == MetricUnit::count && value) return fit_words(*value, terms);
  return metric_text(row, metric) + (metric.unit == MetricUnit::time ? "" : " " + std::string(metric.words));
}

/// Returns true if the points differ by less than half a percent of the best: no model predicts better than that.
bool is_tie(std::int64_t best, std::int64_t other) {
  const Int128 difference = best > other ? Int128{best} - other : Int128{other} - best;
  return difference * 200 <= best;
}

}  // namespace

std::optional<std::int64_t> metric_value(const PointResult& result, const Metric& metric) {
  return result.*metric.figure;
}

std::string metric_value_text(std::int64_t value, const Metric& metric) {
  const Ratio of_ten_thousandths{static_cast<UInt128>(value), 10'000};
  switch (metric.unit) {
    case MetricUnit::time: return to_rounded_text(Duration{value});
    case MetricUnit::percent: return to_fixed(of_ten_thousandths, 1) + " %";
    case MetricUnit::ratio: return to_fixed(of_ten_thousandths, 2);
    case MetricUnit::count: return std::to_string(value);
  }
  return {};
}

std::string metric_text(const StudyRow& row, const Metric& metric) {
  const auto value = metric_value(row.result, metric);
  return value ? metric_value_text(*value, metric) : std::string();
}

namespace {

/// ` local=128 and 2 more points are within 0.5 % of the best.`: the points with an equally good figure; empty if none.
std::string ties_sentence(const StudyTable& table, std::int64_t best) {
  constexpr std::uint64_t max_named = 3;
  constexpr std::uint64_t max_counted = 1'000;
  std::string names;
  std::uint64_t count = 0;
  bool is_over = false;
  table.for_best(max_counted, [&](const StudyRow& row) {
    const auto value = metric_value(row.result, table.metric());
    if (is_over || !value || row.rank == 1U) return;
    is_over = !is_tie(best, *value);
    if (!is_over && ++count <= max_named)
      names += (count > 1 ? ", " : "") + printable(table.space().name_of(row.ordinal));
  });
  if (count == 0) return {};
  const std::uint64_t more = count - std::min(count, max_named);
  if (more > 0)
    names += fmt::format(" and {}{} more point{}", more, count >= max_counted - 1 ? " or" : "", more == 1 ? "" : "s");
  return fmt::format(" {} {} within 0.5 % of the best.", names, count == 1 ? "is" : "are");
}

}  // namespace

std::string best_sentence(const StudyTable& table) {
  const auto best = table.best();
  if (!table.is_ranked()) return "No point is the best: not all of them do the same work.";
  if (!best) return "No point is ok.";
  const PointResult& result = best->result;
  const Terms& words = table.identity().words;
  std::string text = fmt::format("The best is {}: {}", printable(table.space().name_of(best->ordinal)),
                                 figure_words(*best, table.metric(), words));
  if (table.metric().unit != MetricUnit::time && result.duration) text += ", " + duration_text(result);
  if (best->speedup && best->speedup->numerator != best->speedup->denominator)
    text += fmt::format(", {} times as fast as {}", to_fixed(*best->speedup, 2),
                        printable(table.space().name_of(*table.baseline())));
  if (result.work_groups_per_core && !result.limiter.empty())
    text += fmt::format("; {} fit{}, limited by {}", fit_words(*result.work_groups_per_core, words),
                        *result.work_groups_per_core == 1 ? "s" : "", limiter_words(result.limiter, words));
  return text + "." + ties_sentence(table, metric_value(result, table.metric()).value_or(0));
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
  if (table.count(PointStatus::ok) > 1 && table.is_ranked())
    text += fmt::format("; rank 1 has the {} {}{}", table.metric().largest_is_best ? "largest" : "smallest",
                        table.metric().words, table.rows() > kMaxTextRows ? "" : "; rows in the order of points");
  text += "\n\n";
  TextTable rows(header_of(table.space()));
  const auto add = [&](const StudyRow& row) { rows.add(cells_of(row, table.space())); };
  const bool is_long = table.rows() > kMaxTextRows;
  const bool shows_best = is_long && table.is_ranked();
  if (shows_best) table.for_best(kBestOfMany, add);
  std::uint64_t shown = 0;
  if (!shows_best)
    table.for_each([&](const StudyRow& row) {
      if (shown++ < kMaxTextRows) add(row);
    });
  text += rows.text() + "\n";
  if (is_long)
    text += fmt::format("These are the {} {}; --format csv and -o FILE.csv have all rows.\n",
                        shows_best ? kBestOfMany : kMaxTextRows, shows_best ? "best" : "first");
  text += best_sentence(table) + "\n";
  if (const std::string refused = refused_sentence(table); !refused.empty()) text += refused + "\n";
  for (const std::string& note : table.identity().notes) text += printable(note) + "\n";
  return text;
}

}  // namespace gdsim
