#include <gdsim/store/point_store.hpp>

#include <gdsim/base/diagnostic.hpp>

// Imports results of another file.

namespace gdsim {
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
