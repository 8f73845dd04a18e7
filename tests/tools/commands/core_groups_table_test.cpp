#include "support/process.hpp"
#include "support/temporary_folder.hpp"
#include "support/texts.hpp"

#include <catch2/catch.hpp>

#include <map>
#include <string>
#include <vector>

using namespace gdsim::testing;
using Catch::Contains;
using Catch::StartsWith;

namespace {

const std::string kGroupsOfGroups =
    "scenario: Groups of cores\n"
    "device: {base: tiny, cores: 5, core_groups: [{name: die, sizes: [3, 2]}, {name: pair, count: 2}]}\n"
    "kernels:\n"
    "  k: {global: 45, local: 3, sub_group: 1, slm: 1 KiB, program: [compute: 1 us, barrier, compute: 300 ns], "
    "variation: {work_groups: {2: 1.5, 7: 0.5}}}\nlaunches: [kernel: k]\n";

/// The cores of each group, by its level and number.
const std::map<std::string, std::vector<int>> kCores{{"die,0", {0, 1, 2}}, {"die,1", {3, 4}}, {"pair,0", {0}},
                                                     {"pair,1", {1, 2}},   {"pair,2", {3}},   {"pair,3", {4}}};

/// threads_resident, threads_running, threads_stalled, work_groups_resident, slm_bytes.
using Counts = std::vector<long>;

Counts counts_of(const std::vector<std::string>& cells, std::size_t first) {
  return {std::stol(cells[first]), std::stol(cells[first + 1]), std::stol(cells[first + 2]),
          std::stol(cells[first + 4]), std::stol(cells[first + 5])};
}

}  // namespace

TEST_CASE("groups.csv has each group of each level over time: the sums of its cores, where they change") {
  const TemporaryFolder folder;
  const std::string out = (folder.path() / "out").string();
  const Ran ran = run_gdsim({"run", folder.write("two.yaml", kGroupsOfGroups), "-o", out});
  INFO(ran.err);
  REQUIRE(ran.status == 0);
  const auto groups = all_cells_of(read_file(out + "/groups.csv"));
  const auto cores = all_cells_of(read_file(out + "/cores.csv"));
  CHECK(groups.front() == std::vector<std::string>{"time_ns", "level", "group", "threads_resident", "threads_running",
                                                   "threads_stalled", "occupancy_percent", "work_groups_resident",
                                                   "slm_bytes"});

  // What the table must hold, summed up from that of the cores.
  std::vector<std::vector<std::string>> expected;
  std::map<int, Counts> now;
  std::map<std::string, Counts> written;
  for (std::size_t i = 1; i < cores.size(); ++i) {
    now[std::stoi(cores[i][1])] = counts_of(cores[i], 2);
    if (i + 1 < cores.size() && cores[i + 1][0] == cores[i][0]) continue;
    for (const auto& [group, members] : kCores) {
      Counts sums(5);
      for (const int core : members)
        for (std::size_t k = 0; k < sums.size(); ++k) sums[k] += now.at(core)[k];
      if (written.contains(group) && written[group] == sums) continue;
      written[group] = sums;
      expected.push_back({cores[i][0], group});
      for (const long sum : sums) expected.back().push_back(std::to_string(sum));
    }
  }
  std::vector<std::vector<std::string>> found;
  for (std::size_t i = 1; i < groups.size(); ++i) {
    const auto& row = groups[i];
    found.push_back({row[0], row[1] + "," + row[2], row[3], row[4], row[5], row[7], row[8]});
    const double contexts = 8.0 * static_cast<double>(kCores.at(row[1] + "," + row[2]).size());
    CHECK(std::stod(row[6]) == Approx(100 * std::stod(row[3]) / contexts).margin(0.00005));
  }
  CHECK(found.size() > kCores.size());
  CHECK(found == expected);
}

TEST_CASE("a device without groups of cores has no groups.csv, and is named where it is asked for") {
  const TemporaryFolder folder;
  std::string plain = kGroupsOfGroups;
  const std::string levels = ", core_groups: [{name: die, sizes: [3, 2]}, {name: pair, count: 2}]";
  plain.erase(plain.find(levels), levels.size());
  const std::string file = folder.write("plain.yaml", plain);
  REQUIRE(run_gdsim({"run", file, "-o", (folder.path() / "out").string()}).status == 0);
  CHECK_FALSE(std::filesystem::exists(folder.path() / "out/groups.csv"));
  const Ran asked = run_gdsim({"run", file, "--print", "groups"});
  CHECK(asked.status == 2);
  CHECK_THAT(asked.err, Contains("--print groups needs a device with `core_groups`, which 'tiny' does not have"));
  const Ran printed = run_gdsim({"run", folder.write("two.yaml", kGroupsOfGroups), "--print", "groups"});
  CHECK_THAT(printed.out, StartsWith("time_ns,level,group,"));
}
