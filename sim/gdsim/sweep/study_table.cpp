#include <gdsim/sweep/study_writers.hpp>

#include <numeric>
#include <utility>
#include <vector>

namespace gdsim {

StudyTable::StudyTable(PointStore& store, const PointSpace& space, const StudyIdentity& identity, const Metric& metric,
                       std::optional<std::uint64_t> best)
    : store_(store), space_(space), identity_(identity), metric_(metric), best_(best) {
  if (is_ranked()) store_.rank(metric_);
  points_ = space_.count();
  counts_ = store_.counts();
  const std::uint64_t stored = std::accumulate(counts_.begin(), counts_.end(), std::uint64_t{0});
  counts_[static_cast<std::size_t>(PointStatus::interrupted)] += points_ - stored;
  find_baseline();
}

void StudyTable::find_baseline() {
  std::optional<StoredPoint> found;
  std::vector<std::size_t> own;
  for (const auto& index : identity_.own_values)
    if (index) own.push_back(*index);
  if (own.size() == identity_.own_values.size())
    if (const auto wanted = space_.ordinal(own)) {
      found = store_.first_ok(*wanted);
      if (found && found->ordinal != *wanted) found.reset();
    }
  if (!found) found = store_.first_ok(0);
  if (!found) return;
  baseline_ = found->ordinal;
  baseline_duration_ = found->result.duration.value_or(0);
}

StudyRow StudyTable::row_of(StoredPoint point) const {
  StudyRow row{point.ordinal, std::move(point.result), std::nullopt, point.rank};
  const auto& duration = row.result.duration;
  if (identity_.has_equal_work && baseline_ && duration && *duration > 0)
    row.speedup = Ratio{static_cast<UInt128>(baseline_duration_), static_cast<UInt128>(*duration)};
  return row;
}

void StudyTable::for_each(const std::function<void(const StudyRow&)>& take) const {
  StoredPoints stored = store_.points();
  auto point = stored.next();
  for (auto next = space_.next(0); next; next = space_.next(*next + 1)) {
    StudyRow row;
    row.ordinal = *next;
    if (point && point->ordinal == *next) {
      row = row_of(std::move(*point));
      point = stored.next();
    } else {
      row.result.status = PointStatus::interrupted;
      row.result.reason = "the sweep was interrupted before this point was run; --resume runs it";
    }
    if (is_kept(row)) take(row);
  }
}

void StudyTable::for_best(std::uint64_t count, const std::function<void(const StudyRow&)>& take) const {
  StoredPoints stored = store_.best_points(count);
  while (auto point = stored.next()) take(row_of(std::move(*point)));
}

std::optional<StudyRow> StudyTable::best() const {
  std::optional<StudyRow> found;
  for_best(1, [&](const StudyRow& row) { found = row; });
  return found;
}

}  // namespace gdsim
