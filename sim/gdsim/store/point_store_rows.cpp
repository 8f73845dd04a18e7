#include <gdsim/store/point_store.hpp>

// Reads the rows of a store for tables.

namespace gdsim {
namespace {

constexpr const char* kPoints =
    "SELECT p.ordinal, r.status, r.duration_ps, r.peak_occupancy, r.mean_occupancy, r.fit_occupancy, r.limiter, "
    "r.work_groups_per_core, r.waves, r.reason, k.rank FROM point p JOIN result r ON r.id = p.result "
    "LEFT JOIN temp.ranking k ON k.ordinal = p.ordinal WHERE p.study = ?1 ";

}  // namespace

std::optional<StoredPoint> StoredPoints::next() {
  if (is_at_end_ || !rows_.step()) {
    is_at_end_ = true;
    return std::nullopt;
  }
  StoredPoint point;
  point.ordinal = static_cast<std::uint64_t>(rows_.number(0));
  PointResult& result = point.result;
  result.status = static_cast<PointStatus>(rows_.number(1));
  result.duration = rows_.optional_number(2);
  result.peak_occupancy = rows_.optional_number(3);
  result.mean_occupancy = rows_.optional_number(4);
  result.fit_occupancy = rows_.optional_number(5);
  result.limiter = rows_.text(6);
  result.work_groups_per_core = rows_.optional_number(7);
  result.waves = rows_.optional_number(8);
  result.reason = rows_.text(9);
  if (const auto rank = rows_.optional_number(10)) point.rank = static_cast<std::uint64_t>(*rank);
  return point;
}

std::array<std::uint64_t, 4> PointStore::counts() {
  std::array<std::uint64_t, 4> counts{};
  auto rows = database_.prepare(
      "SELECT r.status, count(*) FROM point p JOIN result r ON r.id = p.result WHERE p.study = ?1 GROUP BY r.status");
  rows.bind(1, study_);
  while (rows.step()) counts.at(static_cast<std::size_t>(rows.number(0))) = static_cast<std::uint64_t>(rows.number(1));
  return counts;
}

void PointStore::rank(const Metric& metric) {
  database_.run(
      "DROP TABLE IF EXISTS temp.ranking; CREATE TEMP TABLE ranking(ordinal INTEGER PRIMARY KEY, rank INTEGER);"
      "INSERT INTO temp.ranking SELECT p.ordinal, row_number() OVER (ORDER BY r." +
      std::string(metric.column) + (metric.largest_is_best ? " DESC" : " ASC") +
      " NULLS LAST, p.ordinal) FROM point p JOIN result r ON r.id = p.result WHERE p.study = " +
      std::to_string(study_) + " AND r.status = 0; CREATE INDEX temp.ranking_order ON ranking(rank)");
}

StoredPoints PointStore::points() {
  auto rows = database_.prepare(std::string(kPoints) + "ORDER BY p.ordinal");
  rows.bind(1, study_);
  return StoredPoints(std::move(rows));
}

StoredPoints PointStore::best_points(std::uint64_t count) {
  auto rows = database_.prepare(std::string(kPoints) + "AND k.rank <= ?2 ORDER BY k.rank");
  rows.bind(1, study_).bind(2, static_cast<std::int64_t>(count));
  return StoredPoints(std::move(rows));
}

std::optional<StoredPoint> PointStore::first_ok(std::uint64_t from) {
  auto rows =
      database_.prepare(std::string(kPoints) + "AND r.status = 0 AND p.ordinal >= ?2 ORDER BY p.ordinal LIMIT 1");
  rows.bind(1, study_).bind(2, static_cast<std::int64_t>(from));
  return StoredPoints(std::move(rows)).next();
}

}  // namespace gdsim
