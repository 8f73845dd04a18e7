#include "support/string_sink.hpp"
#include "support/temporary_folder.hpp"
#include <gdsim/base/diagnostic.hpp>
#include <gdsim/store/point_store.hpp>
#include <gdsim/sweep/study_writers.hpp>

#include <catch2/catch.hpp>

#include <fstream>
#include <thread>
#include <vector>

using namespace gdsim;
using namespace gdsim::testing;

namespace {

const StudyIdentity kIdentity{"A study", "content", "gdsim test", {std::nullopt}};

PointSpace a_space(const std::string& axis = "n=1,2,3,4") { return {{parse_axis(axis)}, {}}; }

PointResult lasting(std::int64_t picoseconds) {
  PointResult result;
  result.duration = picoseconds;
  result.peak_occupancy = 1'000'000;
  result.mean_occupancy = 500'000;
  result.limiter = "threads";
  return result;
}

PointResult refused(const std::string& why) {
  PointResult result;
  result.status = PointStatus::refused;
  result.reason = why;
  return result;
}

std::string csv_of(PointStore& store, const PointSpace& space, const StudyIdentity& identity,
                   const char* metric = "duration", std::optional<std::uint64_t> best = {}) {
  StringSink sink;
  write_study_csv(StudyTable(store, space, identity, metric_of(metric), best), sink);
  return sink.text.substr(sink.text.find('\n') + 1);
}

template <class Make>
std::string store_problem(Make make) {
  try {
    make();
    return "none";
  } catch (const InputError& error) {
    return error.what();
  }
}

/// A store that holds the points with these ordinals, each lasting 100 ps more than its ordinal.
void write_part(const std::filesystem::path& file, std::vector<std::uint64_t> ordinals, Shard shard,
                const PointSpace& space = a_space(), const StudyIdentity& identity = kIdentity) {
  PointStore store(file);
  store.open_study(identity, space, shard);
  for (const std::uint64_t ordinal : ordinals)
    store.add(ordinal, space.name_of(ordinal), lasting(static_cast<std::int64_t>(100 + ordinal)));
}

}  // namespace

TEST_CASE("ranks go from the best to the worst, ties in the order of the points, what is not ok has none") {
  PointStore store{{}};
  const PointSpace space = a_space("n=1,2,3,4,5");
  store.open_study(kIdentity, space, {});
  store.add(0, "n=1", lasting(4'000));
  store.add(1, "n=2", lasting(1'000));
  store.add(2, "n=3", refused("too large, \"really\""));
  store.add(3, "n=4", lasting(1'000));
  store.add(4, "n=5", lasting(3'000));
  CHECK(csv_of(store, space, kIdentity) ==
        "1,ok,4.000,1.0000,100.0000,50.0000,,threads,,,4,\n"
        "2,ok,1.000,4.0000,100.0000,50.0000,,threads,,,1,\n"
        "3,refused,,,,,,,,,,\"too large, \"\"really\"\"\"\n"
        "4,ok,1.000,4.0000,100.0000,50.0000,,threads,,,2,\n"
        "5,ok,3.000,1.3333,100.0000,50.0000,,threads,,,3,\n");
}

TEST_CASE("another metric ranks by its own figure, and --best keeps the best rows in the order of the points") {
  PointStore store{{}};
  const PointSpace space = a_space("n=1,2,3");
  store.open_study(kIdentity, space, {});
  for (std::uint64_t i = 0; i < 3; ++i) {
    PointResult result = lasting(1'000);
    result.mean_occupancy = std::int64_t{100'000} * static_cast<std::int64_t>(i + 1);
    store.add(i, std::to_string(i), result);
  }
  CHECK(csv_of(store, space, kIdentity, "mean_occupancy", 2) ==
        "2,ok,1.000,1.0000,100.0000,20.0000,,threads,,,2,\n3,ok,1.000,1.0000,100.0000,30.0000,,threads,,,1,\n");
}

TEST_CASE("a point that was not run is a row that says so") {
  PointStore store{{}};
  const PointSpace space = a_space("n=1,2");
  store.open_study(kIdentity, space, {});
  store.add(1, "n=2", lasting(1'000));
  CHECK_THAT(csv_of(store, space, kIdentity),
             Catch::StartsWith("1,interrupted,,,,,,,,,,the sweep was interrupted before"));
}

TEST_CASE("studies that have points in common share their results, others do not") {
  const TemporaryFolder folder;
  const auto file = folder.path() / "s.sqlite";
  write_part(file, {0, 1, 2, 3}, {});
  PointStore store(file);
  const PointSpace wider = a_space("n=2,4,6");
  store.open_study(kIdentity, wider, {});
  CHECK_FALSE(store.has(0));
  CHECK(store.adopt(0, "n=2"));
  CHECK(store.has(0));
  CHECK_FALSE(store.adopt(2, "n=6"));
  StudyIdentity other = kIdentity;
  other.content = "another scenario";
  store.open_study(other, wider, {});
  CHECK_FALSE(store.adopt(0, "n=2"));
}

TEST_CASE("a file that is no store of this version is refused, and stays as it was") {
  const TemporaryFolder folder;
  const auto open = [](const std::string& file) { return store_problem([&] { PointStore store(file); }); };
  const std::string text = folder.write("text.sqlite", "This is a text, and long enough to be no header of a file.\n");
  CHECK_THAT(open(text), Catch::Contains("text.sqlite: error: is not an SQLite file; nothing in it was changed"));
  CHECK(read_file(text) == "This is a text, and long enough to be no header of a file.\n");

  const std::string foreign = (folder.path() / "foreign.sqlite").string();
  {
    Database database(foreign);
    database.run("CREATE TABLE mine(x); PRAGMA user_version = 7");
  }
  const std::string before = read_file(foreign);
  CHECK_THAT(open(foreign), Catch::Contains("is an SQLite file, but no study of gdsim"));
  CHECK(read_file(foreign) == before);

  const std::string newer = (folder.path() / "newer.sqlite").string();
  { PointStore store(newer); }
  {
    Database database(newer);
    database.run("PRAGMA user_version = 5");
  }
  CHECK_THAT(open(newer),
             Catch::Contains("was written by another version of gdsim: its format is 5, this one knows 4"));

  CHECK_THAT(open((folder.path() / "none/s.sqlite").string()), Catch::Contains("cannot be opened or made"));
}

TEST_CASE("sweeps that begin at once on a new file all open it") {
  const TemporaryFolder folder;
  for (int file = 0; file < 100; ++file) {
    const std::filesystem::path path = folder.path() / std::to_string(file);
    std::vector<std::string> refusals(4);
    std::vector<std::jthread> sweeps;
    for (std::string& refusal : refusals)
      sweeps.emplace_back([&path, &refusal] {
        try {
          const PointStore store(path);
        } catch (const InputError& error) {
          refusal = error.what();
        }
      });
    sweeps.clear();
    REQUIRE(refusals == std::vector<std::string>(4));
  }
}

TEST_CASE("a damaged store is refused and not written to") {
  const TemporaryFolder folder;
  const auto file = folder.path() / "s.sqlite";
  {
    const PointSpace space = a_space("n=1..3000+1");
    PointStore store(file);
    store.open_study(kIdentity, space, {});
    for (std::uint64_t i = 0; i < 3'000; ++i)
      store.add(i, "a point with a long name, so that the file has many pages " + std::to_string(i), lasting(1));
  }
  std::string bytes = read_file(file);
  REQUIRE(bytes.size() > 200'000);
  for (std::size_t i = 100'000; i < 120'000; ++i) bytes[i] = static_cast<char>(i * 37);
  std::ofstream(file, std::ios::binary) << bytes;
  CHECK_THAT(store_problem([&] { PointStore store(file); }),
             Catch::Contains("is damaged") && Catch::Contains("nothing in it was changed"));
  CHECK(read_file(file) == bytes);
}

TEST_CASE("a store whose numbers contradict each other is refused as damaged") {
  const TemporaryFolder folder;
  const auto problem_after = [&](const std::string& change) {
    const std::filesystem::path file = folder.path() / "s.sqlite";
    std::filesystem::remove(file);
    write_part(file, {0, 3}, {1, 2});
    {
      Database database(file);
      database.run(change);
    }
    return store_problem([&] {
      PointStore store(file);
      store.open_only_study();
    });
  };
  CHECK_THAT(problem_after("UPDATE study SET shards = 0"), Catch::Contains("is damaged (it is shard 1 of 0)"));
  CHECK_THAT(problem_after("UPDATE study SET shard = 3"), Catch::Contains("is damaged (it is shard 3 of 2)"));
  CHECK_THAT(problem_after("UPDATE axis_value SET axis = 7"), Catch::Contains("is damaged (it has a value of axis 7)"));
  CHECK_THAT(problem_after("UPDATE axis SET own = 99"), Catch::Contains("is damaged (the scenario's own value of n"));
  CHECK_THAT(problem_after("UPDATE result SET status = 9"), Catch::Contains("is damaged (result 1, of the point"));
}

TEST_CASE("shards that are merged are the whole study") {
  const TemporaryFolder folder;
  const std::vector<std::filesystem::path> files{folder.path() / "1.sqlite", folder.path() / "2.sqlite"};
  write_part(files[0], {0, 3}, {1, 2});
  write_part(files[1], {1, 2}, {2, 2});
  PointStore whole{{}};
  const StoredStudy study = merge_studies(files, whole);
  CHECK(study.identity.title == "A study");
  CHECK_THAT(csv_of(whole, PointSpace(study.axes, study.rules), study.identity),
             Catch::StartsWith("1,ok,0.100,1.0000,") && Catch::Contains("\n4,ok,0.103,0.9709,"));
}

TEST_CASE("a merge knows the parameters of the scenario that its condition names, of each study its own") {
  const TemporaryFolder folder;
  PointRules rules;
  rules.where = "n <= most";
  rules.constants = {{"most", 2.0}};
  const PointSpace space({parse_axis("n=1,2,3,4")}, rules);
  const std::vector<std::filesystem::path> files{folder.path() / "1.sqlite", folder.path() / "2.sqlite"};
  write_part(files[0], {0}, {1, 2}, space);
  write_part(files[1], {1}, {2, 2}, space);
  PointStore whole{{}};
  const StoredStudy study = merge_studies(files, whole);
  CHECK(study.rules.constants == rules.constants);
  CHECK_THAT(csv_of(whole, PointSpace(study.axes, study.rules), study.identity), Catch::Contains("\n2,ok,0.101,"));
}

TEST_CASE("a merge names what is missing and which shards have to run again") {
  const TemporaryFolder folder;
  const std::vector<std::filesystem::path> files{folder.path() / "1.sqlite", folder.path() / "2.sqlite"};
  write_part(files[0], {0, 3}, {1, 2});
  write_part(files[1], {1}, {2, 2});
  PointStore whole{{}};
  CHECK(store_problem([&] { merge_studies(files, whole); }) ==
        "error: 1 of 4 points are missing; run these shards again with --resume: 2/2; the first are n=3");
}

TEST_CASE("a merge refuses files of other studies, and results that contradict each other") {
  const TemporaryFolder folder;
  const auto merge = [&](const std::filesystem::path& a, const std::filesystem::path& b) {
    PointStore whole{{}};
    const std::vector<std::filesystem::path> files{a, b};
    return store_problem([&] { merge_studies(files, whole); });
  };
  const auto path = [&](const char* name) { return folder.path() / name; };
  write_part(path("a.sqlite"), {0, 2}, {1, 2});
  StudyIdentity other = kIdentity;
  other.content = "other";
  write_part(path("content.sqlite"), {1, 3}, {2, 2}, a_space(), other);
  CHECK_THAT(merge(path("a.sqlite"), path("content.sqlite")),
             Catch::Contains("content.sqlite: error: is not of the same study as") &&
                 Catch::Contains("its scenario, models, overrides or bounds differ (other, not content)"));
  other = kIdentity;
  other.program = "gdsim 99";
  other.content = "other version";
  write_part(path("program.sqlite"), {1, 3}, {2, 2}, a_space(), other);
  CHECK_THAT(merge(path("a.sqlite"), path("program.sqlite")),
             Catch::Contains("it was written by gdsim 99, not by gdsim test"));
  write_part(path("lists.sqlite"), {1, 3}, {2, 2}, a_space("n=1,2,3,5"));
  CHECK_THAT(merge(path("a.sqlite"), path("lists.sqlite")), Catch::Contains("it varies other values"));
  {
    PointStore store(path("wrong.sqlite"));
    store.open_study(kIdentity, a_space(), {2, 2});
    for (std::uint64_t i = 1; i < 4; ++i) store.add(i, a_space().name_of(i), lasting(7));
  }
  CHECK_THAT(merge(path("a.sqlite"), path("wrong.sqlite")),
             Catch::Contains("has another result for n=3 than a file before it"));
  CHECK_THAT(merge(path("a.sqlite"), path("gone.sqlite")), Catch::Contains("there is no such file"));
  { PointStore store(path("empty.sqlite")); }
  CHECK_THAT(merge(path("a.sqlite"), path("empty.sqlite")), Catch::Contains("holds 0 studies; one is needed"));
}

TEST_CASE("a store keeps the notes of a study, in their order, and those of another call take their place") {
  const TemporaryFolder folder;
  const auto file = folder.path() / "s.sqlite";
  StudyIdentity identity{"Title", "content", "gdsim 1", {std::nullopt}};
  const PointSpace space({parse_axis("n=1,2")}, {});
  for (const std::vector<std::string>& notes :
       {std::vector<std::string>{"b", "a"}, std::vector<std::string>{}, std::vector<std::string>{"c"}}) {
    identity.notes = notes;
    PointStore(file).open_study(identity, space, {});
    CHECK(PointStore(file).open_only_study().identity.notes == notes);
  }
}

TEST_CASE("a store keeps a vendor's words") {
  const TemporaryFolder folder;
  const auto file = folder.path() / "study.sqlite";
  StudyIdentity identity = kIdentity;
  identity.words = {"SM", "sub-partition", "warp slot", "warp", "block", "shared memory"};
  write_part(file, {0}, {}, a_space(), identity);
  const auto words = [&] {
    const Terms read = PointStore(file).open_only_study().identity.words;
    return std::vector<std::string>{read.core, read.engine, read.context, read.thread, read.work_group, read.slm};
  };
  CHECK(words() == std::vector<std::string>{"SM", "sub-partition", "warp slot", "warp", "block", "shared memory"});
}
