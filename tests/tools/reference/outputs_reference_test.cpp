#include "support/builders.hpp"
#include "support/process.hpp"
#include "support/scenarios.hpp"
#include "support/temporary_folder.hpp"
#include "support/texts.hpp"

#include <nlohmann/json.hpp>

#include <catch2/catch.hpp>

#include <filesystem>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <vector>

// `gdsim help outputs` says what every column and every field is that a run writes.

using namespace gdsim::testing;

namespace fs = std::filesystem;

namespace {

using Names = std::set<std::string>;
using NamesByFile = std::map<std::string, Names>;

/// What is written by runs that have a bit of everything, below `folder`.
void write_outputs(const TemporaryFolder& folder) {
  const auto run = [&](const std::string& name, const std::vector<std::string>& words) {
    std::vector<std::string> all{"run"};
    all.insert(all.end(), words.begin(), words.end());
    all.insert(all.end(), {"-o", (folder.path() / name).string()});
    const Ran ran = run_gdsim(all);
    INFO(ran.err);
    CHECK((ran.status == 0 || ran.status == 3));
  };
  const auto scenario = [](const std::string& name) { return source_path("scenarios/" + name); };
  run("parts", {scenario("vector_add4.yaml"), "--set", "dispatch.admission=spread", "--sample", "1 ms"});
  run("processes", {scenario("time_slices.yaml")});
  run("devices", {scenario("all_reduce_beside_gemm.yaml"), "--case", "two"});
  run("clocks", {scenario("clock_drop.yaml"), "--case", "times"});
  run("repeated", {scenario("shared_gpu.yaml"), "--case", "shares", "--set", "repeat=3"});
  run("stall", {folder.write("stall.yaml",
                             "scenario: Stall\ndevice: tiny\nkernels:\n  k: {global: 64, local: 16, sub_group: 8, "
                             "program: [compute: 1 us, wait: never]}\nlaunches: [kernel: k]\n")});
}

Names columns_of(const fs::path& file) {
  Names names;
  const auto rows = all_cells_of(read_file(file));
  for (const std::string& cell : rows.front())
    if (cell.find('.') == std::string::npos) names.insert(cell);  // else a path that a case sets
  return names;
}

/// The fields of summary.json, of several devices as of one.
Names fields_of(const fs::path& file) {
  Names names;
  const auto json = nlohmann::json::parse(read_file(file));
  for (const auto& [name, value] : json.items()) names.insert(name);
  if (const auto devices = json.find("devices"); devices != json.end())
    for (const auto& [name, value] : devices->front().items()) names.insert(name);
  return names;
}

void add_words(const std::string& text, Names& names) {
  const std::regex word("[a-zA-Z0-9_]+");
  for (std::sregex_iterator one(text.begin(), text.end(), word), end; one != end; ++one) names.insert(one->str());
}

/// What the text explains, by file: the names at the left of the entries below it. Files that stand together share
/// theirs.
NamesByFile explained(const std::string& text) {
  NamesByFile all;
  std::vector<std::string> together;
  bool is_in_entries = false;
  std::istringstream lines(text);
  const std::regex file("^([a-z_]+\\.(csv|json|dot|yaml)) .*");
  const std::regex entry("^  ([a-z][a-zA-Z0-9_]*(, [a-z][a-zA-Z0-9_]*)*)(  .*)?$");
  std::smatch found;
  for (std::string line; std::getline(lines, line);) {
    if (std::regex_match(line, found, file)) {
      if (is_in_entries) together.clear();
      is_in_entries = false;
      together.push_back(found[1]);
      all[found[1]];
    } else if (std::regex_match(line, found, entry)) {
      is_in_entries = true;
      for (const std::string& name : together) add_words(found[1], all[name]);
    }
  }
  return all;
}

/// Columns that are explained with other files that have them.
const Names kShared{"core",    "launch",      "kernel",           "work_group", "start_ns", "end_ns",
                    "time_ns", "duration_ns", "threads_resident", "outcome",    "device",   "work_groups"};

bool is_explained(const std::string& name, const Names& names) {
  return names.contains(name) || kShared.contains(name) ||
         (name.starts_with("waiting_for_memory_") && names.contains("waiting_for_memory_LEVEL"));
}

}  // namespace

TEST_CASE("help on outputs explains every file, column and field that a run writes, and none that it does not",
          "[figures]") {
  const TemporaryFolder folder;
  write_outputs(folder);
  const NamesByFile in_text = explained(run_gdsim({"help", "outputs"}).out);
  NamesByFile written;
  for (const auto& entry : fs::recursive_directory_iterator(folder.path())) {
    const std::string name = entry.path().filename().string();
    if (!entry.is_regular_file() || name == "stall.yaml") continue;
    Names& names = written[name];
    if (entry.path().extension() == ".csv") names.merge(columns_of(entry.path()));
    if (name == "cases.csv") names.erase("dispatch");  // which the cases set
    if (name == "summary.json") names.merge(fields_of(entry.path()));
  }
  for (const auto& [file, names] : written) {
    INFO(file);
    REQUIRE(in_text.contains(file));
    for (const std::string& name : names) {
      INFO(name);
      CHECK(is_explained(name, in_text.at(file)));
    }
  }
  Names all;
  for (const auto& [file, names] : written) all.insert(names.begin(), names.end());
  for (const auto& [file, names] : in_text) {
    INFO(file);
    CHECK((written.contains(file) || file == "samples.csv"));
    for (const std::string& name : names) {
      INFO(name);
      // A folder has the key `scenario_folder` only if its scenario names files.
      CHECK((all.contains(name) || name == "waiting_for_memory_LEVEL" || name == "scenario_folder"));
    }
  }
}
