#pragma once

#include <gdsim/base/decimal.hpp>
#include <gdsim/points/point_result.hpp>
#include <gdsim/points/point_space.hpp>
#include <gdsim/store/point_store.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace gdsim {

/// One point of a table.
struct StudyRow {
  std::uint64_t ordinal = 0;
  PointResult result;
  std::optional<Ratio> speedup;       ///< the baseline's duration divided by this one's
  std::optional<std::uint64_t> rank;  ///< 1 is the best; ties in the order of the points
};

/// The points of a study in their order, with figures over all of them: rank and speed-up. Rows are read from the store
/// on demand; memory does not grow with their number. A point without a result is interrupted. Must be used by one
/// thread at a time, the one that uses the store.
class StudyTable {
 public:
  /// With `best`, the table has only this number of rows, the best ones. `store` and `space` must outlive this.
  StudyTable(PointStore& store, const PointSpace& space, const StudyIdentity& identity, const Metric& metric,
             std::optional<std::uint64_t> best);

  const PointSpace& space() const { return space_; }
  const StudyIdentity& identity() const { return identity_; }
  const Metric& metric() const { return metric_; }
  /// Returns false if durations of unequal work would be ranked: then no row has a rank or a speed-up.
  bool is_ranked() const { return identity_.has_equal_work || metric_.kind != MetricKind::time; }

  /// Calls `take` for every row, in the order of the points.
  void for_each(const std::function<void(const StudyRow&)>& take) const;
  /// Calls `take` for the rows with the ranks 1 to `count`, by rank; for none if points are not ranked.
  void for_best(std::uint64_t count, const std::function<void(const StudyRow&)>& take) const;
  /// Returns the best row, or nullopt if no point is ok or points are not ranked.
  std::optional<StudyRow> best() const;

  /// Returns the number of points of the study with this status, whether they are in the table or not.
  std::uint64_t count(PointStatus status) const { return counts_[static_cast<std::size_t>(status)]; }
  std::uint64_t points() const { return points_; }
  /// Returns the number of rows of the table.
  std::uint64_t rows() const { return best_ && is_ranked() ? std::min(*best_, count(PointStatus::ok)) : points_; }
  /// Returns the reference of speed-ups: the point with the scenario's own values if it is ok, else the first ok one;
  /// nullopt if none is.
  std::optional<std::uint64_t> baseline() const { return baseline_; }

 private:
  StudyRow row_of(StoredPoint point) const;
  bool is_kept(const StudyRow& row) const { return !best_ || !is_ranked() || (row.rank && *row.rank <= *best_); }
  void find_baseline();

  PointStore& store_;
  const PointSpace& space_;
  const StudyIdentity& identity_;
  const Metric& metric_;
  std::optional<std::uint64_t> best_;
  std::array<std::uint64_t, 4> counts_{};
  std::uint64_t points_ = 0;
  std::optional<std::uint64_t> baseline_;
  std::int64_t baseline_duration_ = 0;
};

}  // namespace gdsim
