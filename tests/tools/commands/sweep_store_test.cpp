#include "support/background.hpp"
#include "support/process.hpp"
#include "support/temporary_folder.hpp"

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/store/point_store.hpp>

#include <catch2/catch.hpp>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <thread>

using namespace gdsim::testing;

// A store survives what happens to processes: kill -9, Ctrl-C, two at once, a full disk. Shards that were killed and
// run again, or never, are the same study.

namespace {

/// Values of each of two parameters: 2,500 points.
constexpr std::uint64_t kValues = 50;
constexpr std::uint64_t kPoints = kValues * kValues;
const std::string kLast = std::to_string(kValues);

/// kPoints, each of which takes a moment.
struct StoreFixture {
  TemporaryFolder folder;
  std::string file = folder.write(
      "many.yaml",
      "scenario: Many\ndevice: tiny\nparameters: {a: 1, b: 1}\nkernels:\n  k:\n    global: = 8 * (100 + a)\n"
      "    local: 8\n    sub_group: 8\n    program: [compute: = a * 10 ns, barrier, compute: = b * 1 ns]\n"
      "    variation: {distribution: uniform, cv: 0.1, seed: 1, per: thread}\nlaunches: [kernel: k]\n");
  std::vector<std::string> sweep{"sweep", file, "--vary", "a=1.." + kLast + "+1", "--vary", "b=1.." + kLast + "+1"};

  std::string path(const std::string& name) const { return (folder.path() / name).string(); }
  std::vector<std::string> words(std::vector<std::string> more) const {
    more.insert(more.begin(), sweep.begin(), sweep.end());
    return more;
  }
  Ran run(const std::vector<std::string>& more) const { return run_gdsim(words(more)); }
  /// The table of one undisturbed process.
  std::string undisturbed() const {
    const Ran ran = run({"--format", "csv"});
    REQUIRE(ran.status == 0);
    return ran.out;
  }
};

/// How many points a store has by now; 0 while there is none yet.
std::uint64_t stored(const std::string& store) {
  if (!std::filesystem::exists(store)) return 0;
  try {
    gdsim::PointStore reader(store);
    reader.open_only_study();
    return reader.count();
  } catch (const gdsim::InputError&) {  // it is being made
    return 0;
  }
}

/// Waits until the store has this many points, or the process is over.
void wait_for_points(const std::string& store, std::uint64_t points, Background& process) {
  while (stored(store) < points && process.is_running()) std::this_thread::sleep_for(std::chrono::milliseconds(2));
}

}  // namespace

TEST_CASE_METHOD(StoreFixture, "a sweep of 2,500 points that is killed in the middle and resumed gives the same bytes",
                 "[sweep][figures]") {
  const std::string expected = undisturbed();
  const std::string store = path("s.sqlite");
  Background process(words({"-o", store}));
  wait_for_points(store, kPoints / 10, process);
  process.signal(SIGKILL);
  REQUIRE(process.wait() == 128 + SIGKILL);
  const std::uint64_t kept = stored(store);
  CHECK(kept >= kPoints / 10);
  CHECK(kept < kPoints);
  const Ran resumed = run({"-o", store, "--resume", "--format", "csv"});
  CHECK(resumed.status == 0);
  CHECK(resumed.out == expected);
  CHECK(stored(store) == kPoints);
  CHECK(run({"-o", store, "--resume", "--format", "csv"}).out == expected);
  CHECK(run({"-o", store, "--format", "csv"}).out == expected);
}

TEST_CASE_METHOD(StoreFixture, "Ctrl-C keeps what is done, writes the table as far as it goes, and exits with 130",
                 "[sweep]") {
  const std::string store = path("s.sqlite");
  Background process(words({"-o", store, "-o", path("t.csv")}));
  wait_for_points(store, kPoints / 20, process);
  process.signal(SIGINT);
  REQUIRE(process.wait() == 130);
  const std::uint64_t kept = stored(store);
  CHECK(kept >= kPoints / 20);
  CHECK(kept < kPoints);
  const std::string table = read_file(path("t.csv"));
  CHECK(static_cast<std::uint64_t>(std::count(table.begin(), table.end(), '\n')) == kPoints + 1);
  CHECK_THAT(table, Catch::Contains("\n" + kLast + "," + kLast +
                                    ",interrupted,,,,,,,,,,the sweep was interrupted before this point"));
  CHECK(run({"-o", store, "--resume", "--format", "csv"}).out == undisturbed());
}

TEST_CASE_METHOD(StoreFixture, "two sweeps share a store, killed or not", "[sweep]") {
  const std::string store = path("s.sqlite");
  Background first(words({"-o", store, "--resume"}));
  Background second(words({"-o", store, "--resume", "--format", "csv"}));
  wait_for_points(store, kPoints / 10, first);
  first.signal(SIGKILL);
  first.wait();
  CHECK(second.wait() == 0);
  CHECK(stored(store) == kPoints);
  CHECK(run({"-o", store, "--resume", "--format", "csv"}).out == undisturbed());
}

TEST_CASE_METHOD(StoreFixture, "shards, one of them killed and run again, merge to the bytes of one process",
                 "[sweep][figures]") {
  const auto shard = [&](int i) {
    return words(
        {"--shard", std::to_string(i) + "/4", "-o", path("shard-" + std::to_string(i) + ".sqlite"), "--resume"});
  };
  Background killed(shard(2));
  wait_for_points(path("shard-2.sqlite"), kPoints / 40, killed);
  killed.signal(SIGKILL);
  REQUIRE(killed.wait() == 128 + SIGKILL);
  for (const int i : {1, 3, 4}) REQUIRE(run_gdsim(shard(i)).status == 0);
  const std::string merge =
      "cd " + folder.path().string() + " && \"$GDSIM\" sweep --merge shard-*.sqlite -o all.sqlite -o all.csv";
  const Ran incomplete = run_shell(merge);
  CHECK(incomplete.status == 2);
  CHECK_THAT(incomplete.err, Catch::Contains("of " + std::to_string(kPoints) +
                                             " points are missing; run these shards again with --resume: 2/4"));
  CHECK_THAT(folder.listing(), !Catch::Contains("all."));
  REQUIRE(run_gdsim(shard(2)).status == 0);
  const Ran merged = run_shell(merge);
  INFO(merged.err);
  REQUIRE(merged.status == 0);
  CHECK(read_file(path("all.csv")) == undisturbed());
  CHECK(run({"-o", path("all.sqlite"), "--resume", "--format", "csv"}).out == undisturbed());
  CHECK_THAT(run_shell("cd " + folder.path().string() +
                       " && \"$GDSIM\" sweep --merge shard-1.sqlite shard-2.sqlite -o "
                       "shard-1.sqlite")
                 .err,
             Catch::Contains("which was read as one of the stores to be merged"));
}

TEST_CASE_METHOD(StoreFixture, "a disk that fills up ends the sweep with a message, and what was stored stays",
                 "[sweep]") {
  // No file may grow beyond 600 blocks of 512 bytes: room for the tables of a store and some points, not for all.
  const std::string store = path("s.sqlite");
  std::string line = "trap '' XFSZ; ulimit -f 600; \"$GDSIM\"";
  for (const std::string& word : words({"-o", store})) line += " '" + word + "'";
  const Ran full = run_shell(line);
  CHECK(full.status == 2);
  CHECK_THAT(full.err, Catch::Contains("s.sqlite: error: cannot be") && Catch::Contains("disk"));
  const std::uint64_t kept = stored(store);
  CHECK(kept > 0);
  CHECK(kept < kPoints);
  CHECK(run({"-o", store, "--resume", "--format", "csv"}).out == undisturbed());
}

TEST_CASE_METHOD(StoreFixture, "another scenario, model or override shares no results of a store", "[sweep]") {
  const std::string store = path("s.sqlite");
  const auto csv = [&](std::vector<std::string> more) {
    more.insert(more.end(), {"--format", "csv"});
    const Ran ran = run_gdsim([&] {
      std::vector<std::string> all{"sweep", file, "--vary", "a=1,2"};
      all.insert(all.end(), more.begin(), more.end());
      return all;
    }());
    INFO(ran.err);
    CHECK(ran.status == 0);
    return ran.out;
  };
  const std::string plain = csv({"-o", store, "--resume"});
  CHECK(csv({"-o", store, "--resume", "--set", "b=500"}) == csv({"--set", "b=500"}));
  CHECK(csv({"-o", store, "--resume", "--set", "b=500"}) != plain);
  CHECK(csv({"-o", store, "--resume"}) == plain);
}
