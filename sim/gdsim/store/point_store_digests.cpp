#include <gdsim/store/point_store.hpp>
#include <gdsim/store/store_digests.hpp>

// Checks that a store is unchanged, by its digests.

namespace gdsim {

void PointStore::require_digests() {
  require_digests_of_studies();
  require_digests_of_results();
  require_digests_of_points();
}

void PointStore::require_digests_of_studies() {
  auto studies = database_.prepare("SELECT id, identity, title, digest FROM study ORDER BY id");
  while (studies.step()) {
    const StoredStudy stored = read_study(studies.number(0));
    if (identity_hash(stored.identity, stored.axes, stored.rules) != studies.text(1) ||
        study_digest(stored) != studies.text(3))
      fail_as_damaged("what it holds about study " + studies.text(0) + ", '" + studies.text(2) +
                      "', does not match its digest");
  }
}

void PointStore::require_digests_of_results() {
  auto rows = database_.prepare(
      "SELECT r.id, c.hash, r.point, r.status, r.duration_ps, r.peak_occupancy, r.mean_occupancy, r.fit_occupancy, "
      "r.limiter, r.work_groups_per_core, r.waves, r.reason, r.digest "
      "FROM result r LEFT JOIN content c ON c.id = r.content ORDER BY r.id");
  while (rows.step()) {
    const std::int64_t status = rows.number(3);
    const bool is_status = status >= 0 && status <= static_cast<std::int64_t>(PointStatus::interrupted);
    PointResult result;
    if (is_status) result.status = static_cast<PointStatus>(status);
    result.duration = rows.optional_number(4);
    result.peak_occupancy = rows.optional_number(5);
    result.mean_occupancy = rows.optional_number(6);
    result.fit_occupancy = rows.optional_number(7);
    result.limiter = rows.text(8);
    result.work_groups_per_core = rows.optional_number(9);
    result.waves = rows.optional_number(10);
    result.reason = rows.text(11);
    if (!is_status || result_digest(rows.text(1), rows.text(2), result) != rows.text(12))
      fail_as_damaged("result " + rows.text(0) + ", of the point " + rows.text(2) + ", does not match its digest");
  }
}

void PointStore::require_digests_of_points() {
  auto rows = database_.prepare(
      "SELECT p.ordinal, s.identity, r.point, p.digest, s.content = r.content FROM point p "
      "LEFT JOIN study s ON s.id = p.study LEFT JOIN result r ON r.id = p.result");
  while (rows.step())
    if (rows.number(4) != 1 ||
        point_digest(rows.text(1), static_cast<std::uint64_t>(rows.number(0)), rows.text(2)) != rows.text(3))
      fail_as_damaged("point " + rows.text(0) + (rows.is_null(2) ? "" : ", which should be " + rows.text(2)) +
                      ", does not match its digest");
}

}  // namespace gdsim
