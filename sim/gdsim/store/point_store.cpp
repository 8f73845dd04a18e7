#include <gdsim/store/point_store.hpp>

#include <gdsim/base/diagnostic.hpp>

namespace gdsim {
namespace {

/// `gdst`, which identifies a file as a store of studies, and the version of its tables.
constexpr std::int64_t kApplication = 0x67647374;
constexpr std::int64_t kFormat = 4;

constexpr const char* kTables = R"(
CREATE TABLE content(id INTEGER PRIMARY KEY, hash TEXT NOT NULL UNIQUE) STRICT;
CREATE TABLE study(
  id INTEGER PRIMARY KEY, identity TEXT NOT NULL UNIQUE, content INTEGER NOT NULL, program TEXT NOT NULL,
  title TEXT NOT NULL, zip INTEGER NOT NULL, condition TEXT NOT NULL, sample INTEGER, seed INTEGER NOT NULL,
  shard INTEGER NOT NULL, shards INTEGER NOT NULL, equal_work INTEGER NOT NULL,
  digest TEXT NOT NULL) STRICT;
CREATE TABLE axis(
  study INTEGER NOT NULL, axis INTEGER NOT NULL, name TEXT NOT NULL, own INTEGER, PRIMARY KEY(study, axis))
  WITHOUT ROWID, STRICT;
CREATE TABLE axis_value(
  study INTEGER NOT NULL, axis INTEGER NOT NULL, position INTEGER NOT NULL, value TEXT NOT NULL,
  PRIMARY KEY(study, axis, position)) WITHOUT ROWID, STRICT;
CREATE TABLE constant(
  study INTEGER NOT NULL, name TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY(study, name)) WITHOUT ROWID, STRICT;
CREATE TABLE words(
  study INTEGER PRIMARY KEY, core TEXT NOT NULL, engine TEXT NOT NULL, context TEXT NOT NULL, thread TEXT NOT NULL,
  work_group TEXT NOT NULL, slm TEXT NOT NULL) STRICT;
CREATE TABLE note(
  study INTEGER NOT NULL, position INTEGER NOT NULL, text TEXT NOT NULL, PRIMARY KEY(study, position))
  WITHOUT ROWID, STRICT;
CREATE TABLE result(
  id INTEGER PRIMARY KEY, content INTEGER NOT NULL, point TEXT NOT NULL, status INTEGER NOT NULL, duration_ps INTEGER,
  peak_occupancy INTEGER, mean_occupancy INTEGER, fit_occupancy INTEGER, limiter TEXT NOT NULL,
  work_groups_per_core INTEGER, waves INTEGER, reason TEXT NOT NULL, digest TEXT NOT NULL,
  UNIQUE(content, point)) STRICT;
CREATE TABLE point(
  study INTEGER NOT NULL, ordinal INTEGER NOT NULL, result INTEGER NOT NULL, digest TEXT NOT NULL,
  PRIMARY KEY(study, ordinal)) WITHOUT ROWID, STRICT;
)";

/// Returns the tables of a database, as their definitions.
std::string tables_of(Database& database) {
  return database.text(
      "SELECT group_concat(entry, ';') FROM (SELECT type || ' ' || name || ' ' || tbl_name || ' ' || "
      "coalesce(sql, '') AS entry FROM sqlite_master ORDER BY name)");
}

std::string tables_of_store() {
  Database made{std::filesystem::path()};
  made.run(kTables);
  return tables_of(made);
}

}  // namespace

PointStore::PointStore(const std::filesystem::path& file) : database_(file) {
  database_.run("PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON");
  require_format();
  // Writers do not wait for the disk. If the process dies, no write is lost: the system has all of them by then.
  database_.run("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;");
  if (database_.number("PRAGMA user_version") == kFormat) return;
  Transaction transaction(database_);
  if (database_.number("PRAGMA user_version") == kFormat) return;  // another process was faster
  database_.run(kTables);
  database_.run("PRAGMA application_id = " + std::to_string(kApplication) +
                "; PRAGMA user_version = " + std::to_string(kFormat));
  transaction.commit();
}

/// Checks the format in one snapshot: another process may be making the tables.
void PointStore::require_format() {
  const Snapshot snapshot(database_);
  const std::int64_t application = database_.number("PRAGMA application_id");
  const std::int64_t version = database_.number("PRAGMA user_version");
  if (application == 0 && version == 0 && database_.number("SELECT count(*) FROM sqlite_master") == 0) return;
  if (application != kApplication)
    database_.fail("is an SQLite file, but no study of gdsim; nothing in it was changed. Choose another name");
  if (version != kFormat)
    database_.fail("was written by another version of gdsim: its format is " + std::to_string(version) +
                   ", this one knows " + std::to_string(kFormat) + "; nothing in it was changed. Choose another name");
  const std::string health = database_.text("PRAGMA integrity_check(1)");
  if (health != "ok") fail_as_damaged(health);
  if (tables_of(database_) != tables_of_store()) fail_as_damaged("its tables are not those of a store");
  require_digests();
}

void PointStore::prepare() {
  database_.run("CREATE TEMP TABLE IF NOT EXISTS ranking(ordinal INTEGER PRIMARY KEY, rank INTEGER)");
  has_ = database_.prepare("SELECT 1 FROM point WHERE study = ?1 AND ordinal = ?2");
  find_ = database_.prepare("SELECT id FROM result WHERE content = ?1 AND point = ?2");
  add_result_ = database_.prepare(
      "INSERT INTO result(content, point, status, duration_ps, peak_occupancy, mean_occupancy, fit_occupancy, limiter, "
      "work_groups_per_core, waves, reason, digest) VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12) "
      "ON CONFLICT(content, point) DO UPDATE SET status = excluded.status, duration_ps = excluded.duration_ps, "
      "peak_occupancy = excluded.peak_occupancy, mean_occupancy = excluded.mean_occupancy, "
      "fit_occupancy = excluded.fit_occupancy, limiter = excluded.limiter, "
      "work_groups_per_core = excluded.work_groups_per_core, waves = excluded.waves, reason = excluded.reason, "
      "digest = excluded.digest "
      "RETURNING id");
  add_point_ = database_.prepare("INSERT OR REPLACE INTO point(study, ordinal, result, digest) VALUES(?1, ?2, ?3, ?4)");
}

void PointStore::fail_as_damaged(const std::string& why) const {
  database_.fail("is damaged (" + why + "); nothing in it was changed. Run the sweep again, with another name");
}

std::uint64_t PointStore::count() {
  auto statement = database_.prepare("SELECT count(*) FROM point WHERE study = ?1");
  statement.bind(1, study_).step();
  return static_cast<std::uint64_t>(statement.number(0));
}

bool PointStore::has(std::uint64_t ordinal) {
  const bool found = has_->bind(1, study_).bind(2, static_cast<std::int64_t>(ordinal)).step();
  has_->reset();
  return found;
}

bool PointStore::adopt(std::uint64_t ordinal, std::string_view point) {
  if (!find_->bind(1, content_).bind(2, point).step()) return false;
  const std::int64_t result = find_->number(0);
  find_->reset();
  add_point(ordinal, point, result);
  return true;
}

void PointStore::add_point(std::uint64_t ordinal, std::string_view point, std::int64_t result) {
  add_point_->bind(1, study_).bind(2, static_cast<std::int64_t>(ordinal)).bind(3, result);
  add_point_->bind(4, point_digest(identity_, ordinal, point)).run();
}

void PointStore::add(std::uint64_t ordinal, std::string_view point, const PointResult& result) {
  Transaction transaction(database_);
  add_result_->bind(1, content_).bind(2, point).bind(3, static_cast<std::int64_t>(result.status));
  add_result_->bind(4, result.duration).bind(5, result.peak_occupancy).bind(6, result.mean_occupancy);
  add_result_->bind(7, result.fit_occupancy).bind(8, result.limiter).bind(9, result.work_groups_per_core);
  add_result_->bind(10, result.waves).bind(11, result.reason);
  add_result_->bind(12, result_digest(content_hash_, point, result)).step();
  const std::int64_t id = add_result_->number(0);
  add_result_->run();
  add_point(ordinal, point, id);
  transaction.commit();
}

// Reads the rows of a store for tables.

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

// Imports results of another file.

namespace {

/// Another store, attached to our connection while this object lives.
class Attached {
 public:
  Attached(Database& database, const std::filesystem::path& file) : database_(database) {
    database_.prepare("ATTACH ?1 AS part").bind(1, file.string()).run();
  }
  ~Attached() {
    try {
      database_.run("DETACH part");
    } catch (const InputError&) {  // the first failure is reported instead
    }
  }
  Attached(const Attached&) = delete;
  Attached& operator=(const Attached&) = delete;

 private:
  Database& database_;
};

}  // namespace

/// Returns a point for which the attached file has another result, or nullopt.
std::optional<std::uint64_t> PointStore::point_that_differs(std::int64_t part_study) {
  auto differing = database_.prepare(
      "SELECT p.ordinal FROM part.point p JOIN part.result r ON r.id = p.result "
      "JOIN main.point q ON q.study = ?1 AND q.ordinal = p.ordinal JOIN main.result s ON s.id = q.result "
      "WHERE p.study = ?2 AND (r.status, r.duration_ps, r.peak_occupancy, r.mean_occupancy, r.fit_occupancy, "
      "r.limiter, r.work_groups_per_core, r.waves, r.reason) IS NOT (s.status, s.duration_ps, s.peak_occupancy, "
      "s.mean_occupancy, s.fit_occupancy, s.limiter, s.work_groups_per_core, s.waves, s.reason) LIMIT 1");
  if (!differing.bind(1, study_).bind(2, part_study).step()) return std::nullopt;
  return static_cast<std::uint64_t>(differing.number(0));
}

std::optional<std::uint64_t> PointStore::import_results(const std::filesystem::path& file) {
  const std::string figures =
      "point, status, duration_ps, peak_occupancy, mean_occupancy, fit_occupancy, limiter, work_groups_per_core, "
      "waves, reason";
  const Attached part(database_, file);
  Transaction transaction(database_);
  const std::int64_t part_study = database_.number("SELECT id FROM part.study");
  if (const auto differing = point_that_differs(part_study)) return differing;
  database_
      .prepare(
          "INSERT OR IGNORE INTO main.result(content, " + figures + ", digest) SELECT ?1, " + figures +
          ", r.digest FROM part.point p JOIN part.result r ON r.id = p.result WHERE p.study = ?2 ORDER BY p.ordinal")
      .bind(1, content_)
      .bind(2, part_study)
      .run();
  database_
      .prepare(
          "INSERT OR IGNORE INTO main.point(study, ordinal, result, digest) SELECT ?1, p.ordinal, s.id, p.digest "
          "FROM part.point p JOIN part.result r ON r.id = p.result "
          "JOIN main.result s ON s.content = ?2 AND s.point = r.point WHERE p.study = ?3")
      .bind(1, study_)
      .bind(2, content_)
      .bind(3, part_study)
      .run();
  transaction.commit();
  return std::nullopt;
}

}  // namespace gdsim
