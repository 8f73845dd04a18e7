#include <gdsim/store/point_store.hpp>

#include <boost/uuid/name_generator_sha1.hpp>
#include <boost/uuid/uuid_io.hpp>

#include <algorithm>
#include <charconv>

namespace gdsim {

ContentHash& ContentHash::add(std::string_view text) {
  gathered_ += std::to_string(text.size()) + ":";
  gathered_ += text;
  return *this;
}

std::string ContentHash::finish() const {
  return boost::uuids::to_string(boost::uuids::name_generator_sha1(boost::uuids::ns::oid())(gathered_));
}

namespace {

/// Returns the number as text; `-` for a missing one.
template <class Number>
std::string text_of(const std::optional<Number>& number) {
  return number ? std::to_string(*number) : "-";
}

}  // namespace

std::string exact_text(double value) {
  char text[32];
  const auto end = std::to_chars(text, text + sizeof text, value).ptr;
  return {text, end};
}

std::string result_digest(std::string_view content, std::string_view point, const PointResult& result) {
  ContentHash hash;
  hash.add("result").add(content).add(point).add(name_of(result.status));
  hash.add(text_of(result.duration)).add(text_of(result.peak_occupancy)).add(text_of(result.mean_occupancy));
  hash.add(text_of(result.fit_occupancy)).add(result.limiter).add(text_of(result.work_groups_per_core));
  return hash.add(text_of(result.waves)).add(result.reason).finish();
}

std::string point_digest(std::string_view study, std::uint64_t ordinal, std::string_view point) {
  return ContentHash().add("point").add(study).add(std::to_string(ordinal)).add(point).finish();
}

std::string study_digest(const StoredStudy& study) {
  ContentHash hash;
  hash.add("study").add(identity_hash(study.identity, study.axes, study.rules));
  hash.add(study.identity.title).add(study.identity.program);
  hash.add(std::to_string(study.shard.number)).add(std::to_string(study.shard.count));
  for (const auto& own : study.identity.own_values) hash.add(text_of(own));
  auto constants = study.rules.constants;
  std::sort(constants.begin(), constants.end());
  for (const auto& [name, value] : constants) hash.add(name).add(exact_text(value));
  const Terms& words = study.identity.words;
  for (const std::string* word :
       {&words.core, &words.engine, &words.context, &words.thread, &words.work_group, &words.slm})
    hash.add(*word);
  for (const std::string& note : study.identity.notes) hash.add(note);
  hash.add(study.identity.has_equal_work ? "equal work" : "unequal work");
  return hash.finish();
}

// Checks that a store is unchanged, by its digests.

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
