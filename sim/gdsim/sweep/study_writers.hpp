#pragma once

#include <gdsim/base/decimal.hpp>
#include <gdsim/page/picture/picture_svg.hpp>
#include <gdsim/points/point_space.hpp>
#include <gdsim/points/run_point.hpp>
#include <gdsim/report/result_table.hpp>
#include <gdsim/report/sink.hpp>
#include <gdsim/store/point_store.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace gdsim {

/// One point of a table.
struct StudyRow {
  std::uint64_t ordinal = 0;
  PointResult result;
  std::optional<Ratio> speedup;       ///< the baseline's duration divided by this one's
  std::optional<std::uint64_t> rank;  ///< 1 is the best; ties in the order of the points
};

/// The figures of a point: files, texts, pages and Python have them. The values of the axes stand before them.
const ResultColumns<StudyRow>& study_columns();

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
  bool is_ranked() const { return identity_.has_equal_work || metric_.unit != MetricUnit::time; }

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

/// Writes a row per point: the varied names, then status, duration_ns, speedup, peak_, mean_ and fit_occupancy_percent,
/// limiter, work_groups_per_core, waves, rank, reason.
void write_study_csv(const StudyTable& table, Sink& sink);

/// Writes the same data as an object: the study, its best point, and a list of points.
void write_study_json(const StudyTable& table, Sink& sink);

/// A self-contained page of a study: the answer, the picture, the best points and those that are not ok.
void write_study_page(const StudyTable& table, Sink& sink);

/// Returns the report of a study for a person: a table, only of the best points if there are many, and the answer in
/// words.
std::string study_text(const StudyTable& table);

/// Returns the figure by which points are ranked, in the store's unit, or nullopt unless the point is ok.
std::optional<std::int64_t> metric_value(const PointResult& result, const Metric& metric);
/// Returns a value by which points are ranked, with its unit.
std::string metric_value_text(std::int64_t value, const Metric& metric);
/// `12.5 us`, `45.3 %`, `3`: a row's figure by which points are ranked; empty if it has none.
std::string metric_text(const StudyRow& row, const Metric& metric);

/// `The best is tile=32: 12 us, 1.84 times as fast as tile=16; 3 blocks per SM fit, limited by
/// registers.`
std::string best_sentence(const StudyTable& table);

/// Gives values shades by their rank among all of them, so that one distant value does not make the others look equal.
/// If the worst is more than a certain multiple of the best, the scale is logarithmic. Values that are worse by more
/// than three times the distance of the quartiles are beyond the end of the scale.
class StudyShades {
 public:
  StudyShades() = default;
  StudyShades(std::vector<std::int64_t> values, bool largest_is_best);

  /// Returns 1 for the best value, and 0 for the end of the scale and all worse values.
  double goodness(std::int64_t value) const;

  std::int64_t best() const { return best_; }
  /// Returns the value at the end of the scale.
  std::int64_t worst() const { return worst_; }
  /// Returns true if there are values beyond the end.
  bool has_beyond() const { return has_beyond_; }
  bool is_logarithmic() const { return is_logarithmic_; }

 private:
  std::int64_t best_ = 0;
  std::int64_t worst_ = 0;
  bool largest_is_best_ = false;
  bool has_beyond_ = false;
  bool is_logarithmic_ = false;
};

/// The maximum number of points that are drawn one by one.
inline constexpr std::uint64_t kMaxMarks = 10'000;

/// The rows of a table that pictures draw, with their common data.
class StudyMarks {
 public:
  /// Takes all rows of the table, which must be at most kMaxMarks.
  explicit StudyMarks(const StudyTable& table);

  const StudyTable& table() const { return table_; }
  const std::vector<StudyRow>& rows() const { return rows_; }
  /// Returns the value by which rows are ranked, or nullopt unless the point is ok.
  std::optional<std::int64_t> value(const StudyRow& row) const;
  std::int64_t min() const { return min_; }
  std::int64_t max() const { return max_; }
  /// Returns the shades of all values.
  const StudyShades& shades() const { return shades_; }

  /// `tile=32: 12.8 us, rank 1, 2.00 times as fast as tile=16; limited by slm`: the text for the pointer and screen
  /// readers.
  std::string words(const StudyRow& row) const;
  /// Opens a group with these words and the marks of its state, reachable by keyboard. The caller must close it with
  /// `</g>`.
  std::string open(const StudyRow& row, std::size_t column, std::size_t line) const;

 private:
  const StudyTable& table_;
  std::vector<StudyRow> rows_;
  std::int64_t min_ = 0;
  std::int64_t max_ = 0;
  StudyShades shades_;
};

/// Draws the figure over one axis, or over the pairs of several axes, below the frame's content. Values are equally
/// spaced; numbers are joined by lines. A point that is not ok is a cross at the bottom.
void draw_study_curve(const StudyMarks& marks, PictureFrame& frame);

/// Draws heat maps of the last two axes, the last one across, below the frame's content: one map, or one for each
/// combination of the other axes, with its values above it. The darkest cell is the best; a point that is not ok has a
/// cross; a point that is not in the table is left blank.
void draw_study_heat_maps(const StudyMarks& marks, PictureFrame& frame);

/// Returns a picture of a study as SVG: a curve over one axis, a heat map over two, small multiples of heat maps over
/// more. The best point is marked, points that are not ok are crossed, and every point has a description for the
/// pointer and screen readers. For too many points, it is a note instead.
std::string study_picture(const StudyTable& table);

/// The same, as a file.
void write_study_svg(const StudyTable& table, Sink& sink);

/// Names, if at least half of the points are refused, the most frequent reason and the values that are not refused, in
/// one line. Empty otherwise, and for a table that does not have all points.
///
///     10 of 11 points are refused, 7 of them as the first: global: 640 is not a multiple of local 48; ok: `--vary
///     local=64`.
std::string refused_sentence(const StudyTable& table);

}  // namespace gdsim
