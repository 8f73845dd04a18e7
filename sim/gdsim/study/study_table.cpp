#include <gdsim/study/study_table.hpp>

namespace gdsim {
namespace {

constexpr const char* kRow =
    "SELECT p.ordinal, r.status, r.duration_ps, r.peak_occupancy, r.mean_occupancy, r.fit_occupancy, r.limiter, "
    "r.work_groups_per_core, r.waves, r.reason, k.rank FROM point p JOIN result r ON r.id = p.result "
    "LEFT JOIN temp.ranking k ON k.ordinal = p.ordinal WHERE p.study = ?1 ";

}  // namespace

StudyTable::StudyTable(PointStore& store, const PointSpace& space, const StudyIdentity& identity, const Metric& metric,
                       std::optional<std::uint64_t> best)
    : store_(store), space_(space), identity_(identity), metric_(metric), best_(best) {
  Database& database = store_.database();
  const std::string study = std::to_string(store_.study());
  const std::string column(metric.column);
  database.run(
      "DROP TABLE IF EXISTS temp.ranking; CREATE TEMP TABLE ranking(ordinal INTEGER PRIMARY KEY, rank INTEGER);"
      "INSERT INTO temp.ranking SELECT p.ordinal, row_number() OVER (ORDER BY r." +
      column + (metric.largest_is_best ? " DESC" : " ASC") +
      " NULLS LAST, p.ordinal) FROM point p JOIN result r ON r.id = p.result WHERE p.study = " + study +
      " AND r.status = 0; CREATE INDEX temp.ranking_order ON ranking(rank)");
  points_ = space_.count();
  auto counts = database.prepare(
      "SELECT r.status, count(*) FROM point p JOIN result r ON r.id = p.result WHERE p.study = ?1 GROUP BY r.status");
  counts.bind(1, store_.study());
  std::uint64_t stored = 0;
  while (counts.step()) {
    counts_.at(static_cast<std::size_t>(counts.number(0))) = static_cast<std::uint64_t>(counts.number(1));
    stored += static_cast<std::uint64_t>(counts.number(1));
  }
  counts_[static_cast<std::size_t>(PointStatus::interrupted)] += points_ - stored;
  find_baseline();
}

void StudyTable::find_baseline() {
  auto ok = store_.database().prepare(
      "SELECT p.ordinal, r.duration_ps FROM point p JOIN result r ON r.id = p.result "
      "WHERE p.study = ?1 AND r.status = 0 AND p.ordinal >= ?2 ORDER BY p.ordinal LIMIT 1");
  const auto take = [&](std::uint64_t from) {
    if (!ok.bind(1, store_.study()).bind(2, static_cast<std::int64_t>(from)).step()) return false;
    baseline_ = static_cast<std::uint64_t>(ok.number(0));
    baseline_duration_ = ok.number(1);
    ok.reset();
    return true;
  };
  std::vector<std::size_t> own;
  for (const auto& index : identity_.own_values)
    if (index) own.push_back(*index);
  if (own.size() == identity_.own_values.size())
    if (const auto wanted = space_.ordinal(own); wanted && take(*wanted) && baseline_ == wanted) return;
  baseline_.reset();
  take(0);
}

StudyRow StudyTable::row_of(const Database::Statement& statement) const {
  StudyRow row;
  row.ordinal = static_cast<std::uint64_t>(statement.number(0));
  PointResult& result = row.result;
  result.status = static_cast<PointStatus>(statement.number(1));
  result.duration = statement.optional_number(2);
  result.peak_occupancy = statement.optional_number(3);
  result.mean_occupancy = statement.optional_number(4);
  result.fit_occupancy = statement.optional_number(5);
  result.limiter = statement.text(6);
  result.work_groups_per_core = statement.optional_number(7);
  result.waves = statement.optional_number(8);
  result.reason = statement.text(9);
  if (const auto rank = statement.optional_number(10)) row.rank = static_cast<std::uint64_t>(*rank);
  if (baseline_ && result.duration && *result.duration > 0)
    row.speedup = Ratio{static_cast<UInt128>(baseline_duration_), static_cast<UInt128>(*result.duration)};
  return row;
}

void StudyTable::for_each(const std::function<void(const StudyRow&)>& take) const {
  auto rows = store_.database().prepare(std::string(kRow) + "ORDER BY p.ordinal");
  bool has_row = rows.bind(1, store_.study()).step();
  for (auto next = space_.next(0); next; next = space_.next(*next + 1)) {
    StudyRow row;
    row.ordinal = *next;
    if (has_row && static_cast<std::uint64_t>(rows.number(0)) == *next) {
      row = row_of(rows);
      has_row = rows.step();
    } else {
      row.result.status = PointStatus::interrupted;
      row.result.reason = "the sweep was interrupted before this point was run; --resume runs it";
    }
    if (is_kept(row)) take(row);
  }
}

void StudyTable::for_best(std::uint64_t count, const std::function<void(const StudyRow&)>& take) const {
  auto rows = store_.database().prepare(std::string(kRow) + "AND k.rank <= ?2 ORDER BY k.rank");
  rows.bind(1, store_.study()).bind(2, static_cast<std::int64_t>(count));
  while (rows.step()) take(row_of(rows));
}

std::optional<StudyRow> StudyTable::best() const {
  std::optional<StudyRow> found;
  for_best(1, [&](const StudyRow& row) { found = row; });
  return found;
}

}  // namespace gdsim
