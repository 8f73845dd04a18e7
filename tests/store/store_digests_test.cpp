#include "support/string_sink.hpp"
#include "support/temporary_folder.hpp"
#include <gdsim/base/diagnostic.hpp>
#include <gdsim/store/point_store.hpp>
#include <gdsim/sweep/study_writers.hpp>

#include <catch2/catch.hpp>

#include <array>
#include <filesystem>
#include <fstream>
#include <optional>

// A store with a damage is refused, or it says what the undamaged one says.

using namespace gdsim;
using namespace gdsim::testing;
namespace fs = std::filesystem;

namespace {

StudyIdentity identity() {
  return {"A study",
          "content of the study",
          "gdsim test",
          {1, std::nullopt},
          {"SM", "SMSP", "slot", "warp", "block", "smem"}};
}

PointSpace space() {
  PointRules rules;
  rules.where = "n * stages <= 40";
  rules.constants = {{"stages", 2.5}, {"tile", 16}};
  return {{parse_axis("n=1,2,3"), parse_axis("device=first,second")}, rules};
}

PointResult result_of(std::uint64_t ordinal) {
  PointResult result;
  if (ordinal % 3 == 2) {
    result.status = ordinal % 2 == 0 ? PointStatus::refused : PointStatus::deadlocked;
    result.reason = "the device has no room for it";
    return result;
  }
  const auto n = static_cast<std::int64_t>(ordinal);
  result.duration = 123'456'789 + 1'000 * n;
  result.peak_occupancy = 1'000'000;
  result.mean_occupancy = 512'345 + n;
  result.fit_occupancy = 750'000;
  result.limiter = "slm+registers";
  result.work_groups_per_core = 7 + n;
  result.waves = 12'345;
  return result;
}

std::string point_of(std::uint64_t ordinal) { return "{\"n\": \"" + std::to_string(ordinal) + "\"}"; }

void write_store(const fs::path& file) {
  PointStore store(file);
  store.open_study(identity(), space(), {});
  for (auto next = space().next(0); next; next = space().next(*next + 1))
    store.add(*next, point_of(*next), result_of(*next));
}

/// All that a study prints.
std::string tables_of(PointStore& store, const PointSpace& points, const StudyIdentity& study) {
  StringSink csv;
  const StudyTable table(store, points, study, metric_of("duration"), {});
  write_study_csv(table, csv);
  return csv.text + study_text(table);
}

/// What a merge of the file prints; nothing if it is refused.
std::optional<std::string> merged(const fs::path& file) {
  try {
    PointStore all{fs::path()};
    const std::array<fs::path, 1> files{file};
    const StoredStudy study = merge_studies(files, all);
    return tables_of(all, PointSpace(study.axes, study.rules), study.identity);
  } catch (const InputError&) {
    return std::nullopt;
  }
}

/// What a sweep that continues the file prints; nothing if it is refused.
std::optional<std::string> resumed(const fs::path& file) {
  try {
    PointStore store(file);
    store.open_study(identity(), space(), {});
    for (auto next = space().next(0); next; next = space().next(*next + 1))
      if (!store.has(*next) && !store.adopt(*next, point_of(*next)))
        store.add(*next, point_of(*next), result_of(*next));
    return tables_of(store, space(), identity());
  } catch (const InputError&) {
    return std::nullopt;
  }
}

std::string refusal_of(const fs::path& file) {
  try {
    PointStore store(file);
    return "none";
  } catch (const InputError& error) {
    return error.what();
  }
}

/// A store in which one statement changed something.
struct Damaged {
  explicit Damaged(const std::string& statement) {
    write_store(file);
    Database(file).run(statement);
  }
  TemporaryFolder folder;
  fs::path file = folder.path() / "s.sqlite";
};

}  // namespace

TEST_CASE("a store with one bit changed is refused, or prints what the undamaged one prints") {
  const TemporaryFolder folder;
  const fs::path whole = folder.path() / "whole.sqlite", damaged = folder.path() / "damaged.sqlite";
  write_store(whole);
  const std::string bytes = read_file(whole);
  const auto of_merge = merged(whole), of_resume = resumed(whole);
  REQUIRE(of_merge);
  REQUIRE(of_resume);
  std::size_t trials = 0, refused = 0, wrong = 0;
  // Half of the bytes are met by a merge, half by a sweep that continues the store. The first page, the text of the
  // tables, and zeros are sampled.
  constexpr std::size_t first_page = 4'096;
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    const std::size_t stride = bytes[at] == 0 ? 101 : at < first_page && at > 100 ? 7 : 2;
    if (at % stride != 0) continue;
    const bool is_resumed = at / stride % 2 == 1;
    std::string text = bytes;
    text[at] = static_cast<char>(text[at] ^ (1 << (at / 3 % 8)));
    std::ofstream(damaged, std::ios::binary) << text;
    const auto printed = is_resumed ? resumed(damaged) : merged(damaged);
    ++trials;
    if (!printed) ++refused;
    const bool is_wrong = printed && printed != (is_resumed ? of_resume : of_merge);
    if (is_wrong && ++wrong < 10)
      UNSCOPED_INFO("byte " << at << " of " << bytes.size() << (is_resumed ? ", resumed" : ""));
    for (const char* beside : {"", "-wal", "-shm", "-journal"}) fs::remove(damaged.string() + beside);
  }
  CHECK(wrong == 0);
  CHECK(refused > trials / 4);
}

TEST_CASE("what does not match its digest is named, and the file is left as it is") {
  const std::vector<std::pair<std::string, std::string>> damages{
      {"UPDATE result SET duration_ps = duration_ps + 1 WHERE id = 1",
       R"(result 1, of the point {"n": "0"}, does not match its digest)"},
      {"UPDATE result SET reason = 'another' WHERE id = 3", "result 3, of the point"},
      {"UPDATE result SET limiter = 'slm' WHERE id = 2", "result 2, of the point"},
      {"UPDATE result SET status = 3 WHERE id = 1", "result 1, of the point"},
      {"UPDATE result SET status = 9 WHERE id = 1", "result 1, of the point"},
      {"UPDATE result SET waves = NULL WHERE id = 1", "result 1, of the point"},
      {"UPDATE result SET content = 5 WHERE id = 1", "result 1, of the point"},
      {"UPDATE content SET hash = 'other'", "does not match its digest"},
      {"UPDATE point SET result = 2 WHERE ordinal = 0",
       R"(point 0, which should be {"n": "1"}, does not match its digest)"},
      {"UPDATE point SET ordinal = 77 WHERE ordinal = 0", "point 77, which should be"},
      {"DELETE FROM result WHERE id = 1", "point 0, does not match its digest"},
      {"UPDATE study SET title = 'Other'", "what it holds about study 1, 'Other', does not match its digest"},
      {"UPDATE axis_value SET value = '9' WHERE position = 2", "what it holds about study 1"},
      {"UPDATE axis SET name = 'm' WHERE axis = 0", "what it holds about study 1"},
      {"UPDATE axis SET own = 0 WHERE axis = 0", "what it holds about study 1"},
      {"UPDATE constant SET value = '3' WHERE name = 'tile'", "what it holds about study 1"},
      {"UPDATE words SET core = 'CU'", "what it holds about study 1"},
      {"INSERT INTO note VALUES(1, 7, 'another')", "what it holds about study 1"},
      {"UPDATE study SET condition = ''", "what it holds about study 1"},
      {"CREATE TRIGGER t AFTER INSERT ON point BEGIN DELETE FROM point; END", "its tables are not those of a store"},
  };
  for (const auto& [statement, message] : damages) {
    INFO(statement);
    const Damaged store(statement);
    const std::string before = read_file(store.file);
    CHECK_THAT(refusal_of(store.file), Catch::Contains("s.sqlite: error: is damaged (") && Catch::Contains(message));
    CHECK((read_file(store.file) == before));
  }
}

TEST_CASE("a study whose title or shard changes keeps its digest") {
  const TemporaryFolder folder;
  const fs::path file = folder.path() / "s.sqlite";
  write_store(file);
  StudyIdentity renamed = identity();
  renamed.title = "Renamed";
  renamed.own_values = {std::nullopt, 0};
  renamed.words = {};
  PointStore(file).open_study(renamed, space(), {2, 3});
  const StoredStudy stored = PointStore(file).open_only_study();
  CHECK(stored.identity.title == "Renamed");
  CHECK(stored.shard.number == 2);
}
