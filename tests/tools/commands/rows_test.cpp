#include "support/process.hpp"
#include "support/temporary_folder.hpp"

#include <catch2/catch.hpp>

#include <filesystem>
#include <string>
#include <vector>

using namespace gdsim::testing;

// The files of runs with a row of each work-group, with and without fast-forwarding: the same, byte for byte.

namespace {

/// More work-groups than are drawn one by one, each with a duration of its own; another launch arrives among them.
constexpr const char* kScenario = R"(scenario: Jittered rows
device: {base: tiny, cores: 12, engines_per_core: 1, contexts_per_engine: 64, sub_group_sizes: [1],
         work_groups_per_core: 8}
kernels:
  "long, \"jittered\"":
    global: 96000
    local: 8
    sub_group: 1
    program: [compute: 10 us, barrier, compute: 3 us]
    variation:
      distribution: lognormal
      cv: 0.2
      seed: 5
      work_groups: {7000: 50}
  other: {global: 800, local: 8, sub_group: 1, program: [compute: 2 us]}
launches:
  - {kernel: "long, \"jittered\"", name: first}
  - {kernel: other, at: 400 us}
)";

/// Differences between the folders, by their files.
std::vector<std::string> differences(const std::filesystem::path& a, const std::filesystem::path& b) {
  std::vector<std::string> differ;
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(a)) {
    const std::string name = entry.path().filename().string();
    ++files;
    if (!std::filesystem::exists(b / name) || read_file(a / name) != read_file(b / name)) differ.push_back(name);
  }
  CHECK(files >= 10);
  return differ;
}

}  // namespace

TEST_CASE("all files of a jittered run with rows are the same with --no-fast-forward, whatever is asked for besides") {
  const TemporaryFolder folder;
  const std::string scenario = folder.write("jittered.yaml", kScenario);
  for (const std::string more : {"", " --sample 7us", " --max-time 1.2ms", " --max-time 1.2ms --sample 1us",
                                 " --max-events 5000", " --trace \"$FOLDER/trace\""}) {
    CAPTURE(more);
    const std::string in_folder = "FOLDER='" + folder.path().string() + "'; cd \"$FOLDER\"; ";
    const Ran with = run_shell(in_folder + "\"$GDSIM\" run jittered.yaml -o with" + more);
    const Ran without = run_shell(in_folder + "\"$GDSIM\" run jittered.yaml -o without --no-fast-forward" + more);
    REQUIRE(with.status == without.status);
    CHECK(differences(folder.path() / "with", folder.path() / "without").empty());
  }
}
