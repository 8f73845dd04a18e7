#include "support/golden.hpp"
#include "support/builders.hpp"
#include "support/process.hpp"
#include "support/temporary_folder.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <filesystem>
#include <set>

using namespace gdsim::testing;

namespace {

/// A summary without the list of the files beside it: each of them is compared itself.
std::string without_files(std::string text) {
  const std::size_t at = text.find(",\n  \"files\": [");
  if (at != std::string::npos) text.replace(at, text.find("\n  ]", at) + 4 - at, "");
  const std::size_t version = text.find(",\n  \"gdsim_version\": ");
  if (version != std::string::npos) text.replace(version, text.find('\n', version + 2) - version, "");
  return text;
}

/// Paths of all files below a folder, relative to it.
std::set<std::string> files_below(const std::filesystem::path& folder) {
  std::set<std::string> names;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
    if (entry.is_regular_file()) names.insert(std::filesystem::relative(entry.path(), folder).string());
  return names;
}

/// Runs a scenario into a folder of its own and returns the files that are compared: those whose path begins with one
/// of `parts`, or all if there are none. The scenario that ran is compared with the file, unless a case changed it.
/// `time_use.csv` is left out: it has a thousand rows, and other tests say what they are.
std::set<std::string> written_files(const std::string& scenario, const std::filesystem::path& out,
                                    const std::vector<std::string>& parts) {
  REQUIRE(run_gdsim({"run", source_path("scenarios/" + scenario + ".yaml"), "-o", out.string()}).status == 0);
  std::set<std::string> names;
  for (const std::string& name : files_below(out)) {
    const auto is_part = [&](const std::string& part) { return name.starts_with(part); };
    if (!parts.empty() && std::none_of(parts.begin(), parts.end(), is_part)) continue;
    if (name.ends_with("time_use.csv")) continue;
    if (name == "scenario_as_run.yaml") {
      CHECK((read_file(out / name) == read_file(source_path("scenarios/" + scenario + ".yaml"))));
      continue;
    }
    names.insert(name);
  }
  return names;
}

/// A scenario and, of one with cases, the files that stand for all.
struct Approved {
  std::string scenario;
  std::vector<std::string> parts;
};

}  // namespace

TEST_CASE("golden: a run writes the approved files, no fewer and no others, and they are what was approved") {
  const TemporaryFolder folder;
  for (const Approved& approved :
       {Approved{"first_steps", {}}, Approved{"host_time", {}}, Approved{"vector_add3", {}},
        Approved{"vector_add4", {}}, Approved{"vector_add2", {"n44/", "cases.csv", "summary.json"}},
        Approved{"sub_devices", {"cut_in_two/summary.json"}},
        Approved{"queues", {"in_order/summary.json", "in_order/launches.csv"}}}) {
    INFO(approved.scenario);
    const auto out = folder.path() / approved.scenario;
    const std::set<std::string> written = written_files(approved.scenario, out, approved.parts);
    for (const std::string& name : written)
      CHECK(difference_to_golden(approved.scenario + "/" + name, without_files(read_file(out / name))).empty());
    CHECK(written == files_below(source_path("tests/golden/" + approved.scenario)));
  }
}

TEST_CASE("golden: a repeated run writes its repetitions and bands as they were approved") {
  const TemporaryFolder folder;
  const std::string scenario = source_path("tests/fixtures/repeated.yaml");
  const auto out = folder.path() / "out";
  REQUIRE(run_gdsim({"run", scenario, "-o", out.string()}).status == 0);
  for (const std::string name : {"repetitions.csv", "bands.csv"})
    CHECK(difference_to_golden("repeated/" + name, read_file(out / name)).empty());
}

TEST_CASE("golden: the times of blocks as JSON, every key and value, also of a run that ends before its work-groups") {
  const auto times = [](std::vector<std::string> more) {
    more.insert(more.begin(), {"run", source_path("scenarios/first_steps.yaml"), "--print", "block-times"});
    return run_gdsim(more).out;
  };
  CHECK(difference_to_golden("text/block_times.json", times({})).empty());
  CHECK(difference_to_golden("text/block_times_interrupted.json", times({"--max-time", "1500 ns"})).empty());
}

TEST_CASE("golden: what a person reads is what it was approved to be") {
  const auto text = [](const std::vector<std::string>& words) { return run_gdsim(words).out; };
  const std::string scenarios = std::string(GDSIM_SOURCE_ROOT) + "/scenarios/";
  CHECK(difference_to_golden("text/vector_add4.txt", text({"run", scenarios + "vector_add4.yaml"})).empty());
  CHECK(difference_to_golden("text/vector_add2.txt", text({"run", scenarios + "vector_add2.yaml"})).empty());
  CHECK(difference_to_golden("text/help.txt", text({"--help"})).empty());
  CHECK(difference_to_golden("text/help_run.txt", text({"run", "--help"})).empty());
  CHECK(difference_to_golden("text/help_report.txt", text({"report", "--help"})).empty());
  CHECK(difference_to_golden("text/help_compare.txt", text({"compare", "--help"})).empty());
  CHECK(difference_to_golden("text/help_check.txt", text({"check", "--help"})).empty());
  // New keys change no golden file: the first of all keys shows what each looks like.
  const std::string keys = text({"help", "scenario"});
  CHECK(difference_to_golden("text/help_scenario.txt", keys.substr(0, keys.find("\n  device ") + 1)).empty());
}

TEST_CASE("golden: the pictures of README and course are those of today") {
  const TemporaryFolder folder;
  const std::string scenarios = std::string(GDSIM_SOURCE_ROOT) + "/scenarios/";
  const std::string file = (folder.path() / "picture.svg").string();
  for (const std::string scenario : {"vector_add3", "vector_add4"}) {
    REQUIRE(run_gdsim({"report", scenarios + scenario + ".yaml", "-o", file}).status == 0);
    CHECK(difference_to_approved("scenarios/pictures/" + scenario + ".svg", read_file(file)).empty());
  }
}
