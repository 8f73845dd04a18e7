#include "support/process.hpp"
#include "support/scenarios.hpp"
#include "support/temporary_folder.hpp"

#include <nlohmann/json.hpp>

#include <catch2/catch.hpp>

#include <filesystem>
#include <regex>
#include <set>
#include <sstream>

// `gdsim help outputs` says what every column and every field is that a run writes.

using namespace gdsim::testing;

namespace fs = std::filesystem;

namespace {

using Names = std::set<std::string>;

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

void add_columns(const fs::path& file, Names& names) {
  std::istringstream header(read_file(file));
  std::string line;
  std::getline(header, line);
  std::istringstream cells(line);
  for (std::string cell; std::getline(cells, cell, ',');)
    if (cell.find('.') == std::string::npos) names.insert(cell);  // else a path that a case sets
}

/// The fields of summary.json, of several devices as of one.
void add_fields(const fs::path& file, Names& names) {
  const auto json = nlohmann::json::parse(read_file(file));
  for (const auto& [name, value] : json.items()) names.insert(name);
  if (const auto devices = json.find("devices"); devices != json.end())
    for (const auto& [name, value] : devices->front().items()) names.insert(name);
}

/// The names that the text explains: those at the left of its entries.
Names entries_of(const std::string& text) {
  Names names;
  std::istringstream lines(text);
  const std::regex entry("^  ([a-z][a-zA-Z0-9_]*(, [a-z][a-zA-Z0-9_]*)*)(  .*)?$");
  const std::regex name("[a-zA-Z0-9_]+");
  std::smatch found;
  for (std::string line; std::getline(lines, line);) {
    if (!std::regex_match(line, found, entry)) continue;
    const std::string all = found[1];
    for (std::sregex_iterator one(all.begin(), all.end(), name), end; one != end; ++one) names.insert(one->str());
  }
  return names;
}

bool is_word_of(const std::string& name, const std::string& text) {
  return std::regex_search(text, std::regex("\\b" + name + "\\b"));
}

}  // namespace

TEST_CASE("help on outputs names every file, column and field that a run writes, and none that it does not") {
  const TemporaryFolder folder;
  write_outputs(folder);
  const std::string text = run_gdsim({"help", "outputs"}).out;
  Names written;
  Names files;
  for (const auto& entry : fs::recursive_directory_iterator(folder.path())) {
    const fs::path& file = entry.path();
    if (file.extension() == ".csv") add_columns(file, written);
    if (file.filename() == "summary.json") add_fields(file, written);
    if (file.extension() == ".csv" || file.extension() == ".json") files.insert(file.filename().string());
  }
  for (const std::string& file : files) {
    INFO(file);
    CHECK(text.find("\n" + file + " ") != std::string::npos);
  }
  for (const std::string& name : written) {
    INFO(name);
    CHECK((is_word_of(name, text) || name.starts_with("waiting_for_memory_")));
  }
  for (const std::string& name : entries_of(text)) {
    INFO(name);
    CHECK((written.contains(name) || name == "waiting_for_memory_LEVEL"));
  }
}
