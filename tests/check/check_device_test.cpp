#include <gdsim/check/checks.hpp>
#include "support/builders.hpp"
#include "support/plain_keys.hpp"

#include <catch2/catch.hpp>

#include <limits>
#include <utility>

using namespace gdsim;
using namespace gdsim::testing;

namespace {
/// The field at fault in a small device with one change.
template <class Change>
std::string fault_after(Change change) {
  const auto faults = check_device(with(small_device(), change));
  return faults.size() == 1 ? faults.front().path.substr(std::string("device.").size())
                            : std::to_string(faults.size()) + " faults";
}
}  // namespace

TEST_CASE("a usable device has no faults") {
  CHECK(check_device(small_device()).empty());
  CHECK(check_device(tiger_lake()).empty());
}

TEST_CASE("every limit that makes a device unusable is found") {
  CHECK(fault_after([](auto& d) { d.cores = 0; }) == "cores");
  CHECK(fault_after([](auto& d) { d.cores = 100'001; }) == "cores");
  CHECK(fault_after([](auto& d) { d.engines_per_core = 0; }) == "engines_per_core");
  CHECK(fault_after([](auto& d) { d.contexts_per_engine = 0; }) == "contexts_per_engine");
  CHECK(fault_after([](auto& d) { d.contexts_per_engine = 6'000; }) == "contexts_per_engine");
  CHECK(fault_after([](auto& d) { d.max_work_group_size = 0; }) == "max_work_group_size");
  CHECK(fault_after([](auto& d) { d.work_groups_per_core = 0; }) == "work_groups_per_core");
  CHECK(fault_after([](auto& d) { d.sub_group_sizes = {}; }) == "sub_group_sizes");
  CHECK(fault_after([](auto& d) { d.sub_group_sizes = {16, 8}; }) == "sub_group_sizes");
  CHECK(fault_after([](auto& d) { d.slm.sizes = {Bytes{2048}, Bytes{1024}}; }) == "slm.sizes");
  CHECK(fault_after([](auto& d) { d.slm.sizes = {Bytes{1024}, Bytes{1024}}; }) == "slm.sizes");
  CHECK(fault_after([](auto& d) { d.slm.per_core = Bytes{(std::int64_t{1} << 40) + 1}; }) == "slm.per_core");
  CHECK(fault_after([](auto& d) { d.dispatch.ports = 0; }) == "dispatch.ports");
}

TEST_CASE("a level of memory needs neither a bandwidth nor a latency") {
  MemoryRule memory;
  memory.levels = {{"M", {}, {}, {}}};
  CHECK(fault_after([&](auto& d) { d.memory = memory; }) == "0 faults");
}

TEST_CASE("clocks and levels of memory have a largest number") {
  CHECK(fault_after([](auto& d) { d.clock = Hertz{1'000'000'000'001}; }) == "clock");
  CHECK(fault_after([](auto& d) { d.clock = Hertz{0}; }) == "clock");
  MemoryRule memory;
  for (std::int64_t level = 1; level <= 16; ++level)
    memory.levels.push_back({"L", Bytes{level}, BytesPerSecond{1'000'000'000}, {}});
  memory.levels.push_back({"M", {}, BytesPerSecond{1'000'000'000}, {}});
  CHECK(fault_after([&](auto& d) { d.memory = memory; }) == "memory.levels");
  memory.levels.erase(memory.levels.begin());
  CHECK(fault_after([&](auto& d) { d.memory = memory; }) == "0 faults");
}

namespace {

/// What is said of the range of a key of a small device that has this number.
std::string fault_of_range(const std::string& path, std::uint64_t number) {
  DeviceSpec device = small_device();
  visit_device(
      device, [&](const auto&, const auto&, auto& value) { set_number(value, number); }, path);
  Issues issues = check_device(device);
  append(issues, check_device_values(device));
  for (const Issue& issue : issues)
    if (issue.path == path)
      for (const char* words : {"it must be from ", "is more than 1"})
        if (issue.message.find(words) != std::string::npos) return issue.message;
  return {};
}

}  // namespace

TEST_CASE("the smallest and the largest value of each number of a device are no faults, the next beyond is one") {
  DeviceSpec device = small_device();
  std::vector<std::pair<std::string, WholeRange>> numbers;
  visit_device(device, [&](const std::string& path, const KeyFacts& facts, auto& value) {
    if (set_number(value, 1)) numbers.emplace_back(path, facts.range);
  });
  CHECK(numbers.size() > 50);
  for (const auto& [path, range] : numbers) {
    INFO(path);
    CHECK(range.max < std::uint64_t{1} << 60);
    CHECK(fault_of_range(path, range.min) == "");
    CHECK(fault_of_range(path, range.max) == "");
    if (range.min > 0) CHECK(fault_of_range(path, range.min - 1) != "");
    if (range.max != std::numeric_limits<std::uint32_t>::max()) CHECK(fault_of_range(path, range.max + 1) != "");
  }
}

namespace {

/// The message about core_groups of a device of so many cores; empty if they are sound.
std::string fault_of_groups(std::uint32_t cores, const std::vector<CoreGroupLevel>& levels) {
  const auto faults = check_device(with(small_device(), [&](auto& d) {
    d.cores = cores;
    d.core_groups = levels;
  }));
  if (faults.empty()) return {};
  CHECK(faults.size() == 1);
  CHECK(faults.front().path == "device.core_groups");
  return faults.front().message;
}

CoreGroupLevel level(const std::string& name, std::uint32_t count, const std::vector<std::uint32_t>& sizes = {}) {
  CoreGroupLevel made;
  made.name = name;
  made.count = count;
  made.sizes = sizes;
  return made;
}

}  // namespace

TEST_CASE("sizes of groups add up to every group of the level above, which may have one core more than another") {
  CHECK(fault_of_groups(4, {level("a", 2), level("b", 0, {1, 1})}).empty());
  CHECK(fault_of_groups(5, {level("a", 0, {2, 3})}).empty());
  CHECK_THAT(fault_of_groups(5, {level("a", 2), level("b", 0, {1, 1})}),
             Catch::Contains("b: its `sizes` add up to 2 cores, a group of the level above has 3; as equal groups: "
                             "`core_groups: [{name: b, count: 2}]`"));
  CHECK_THAT(fault_of_groups(5, {level("a", 2), level("b", 0, {3})}),
             Catch::Contains("add up to 3 cores, a group of the level above has 2"));
  CHECK_THAT(fault_of_groups(5, {level("a", 0, {2, 2})}), Catch::Contains("add up to 4 cores, the device has 5"));
  CHECK_THAT(fault_of_groups(4, {level("a", 2), level("b", 0, {2}), level("c", 0, {1})}),
             Catch::StartsWith("c: its `sizes` add up to 1 cores, a group of the level above has 2"));
}

TEST_CASE("levels of groups have groups, of cores, no more of them than there are cores") {
  CHECK(fault_of_groups(4, {level("a", 4)}).empty());
  CHECK(fault_of_groups(4, {level("a", 2), level("b", 2)}).empty());
  CHECK(fault_of_groups(4, {level("a", 5)}) == "a: there are more groups than cores");
  CHECK(fault_of_groups(4, {level("a", 2), level("b", 3)}) == "b: there are more groups than cores");
  CHECK(fault_of_groups(4, {level("a", 0)}) == "a: there must be at least one");
  CHECK(fault_of_groups(4, {level("a", 0, {4, 0})}) == "a: a group must have at least 1 core");
  CHECK(fault_of_groups(4, {level("a", 2, {2, 2})}) ==
        "a: give `count`, or `sizes` where groups are unequal, not both");
}

TEST_CASE(
    "a level of memory may have one group that shares it, however many cores and contexts, but not many of many") {
  const auto faults = [](std::uint32_t cores, std::uint32_t groups, std::uint32_t contexts) {
    std::string paths;
    for (const Issue& issue : check_device(with(small_device(), [&](auto& d) {
           d.cores = cores;
           d.engines_per_core = 1;
           d.contexts_per_engine = contexts;
           d.core_groups = {level("g", groups)};
           d.memory = MemoryRule{};
           d.memory->levels = {{"M", {}, BytesPerSecond{1}, {}}};
           d.memory->levels[0].scope = "g";
         })))
      paths += issue.path.substr(std::string("device.").size()) + ": " + issue.message + "\n";
    return paths;
  };
  CHECK(faults(100'000, 1, 8).empty());
  CHECK(faults(1'024, 1'024, 8).empty());  // 2^20
  CHECK(faults(1'025, 1'024, 8) ==
        "memory.levels[0].scope: 1024 of them are too many: times the cores, or the contexts of a core, that is "
        "1049600; at most 1048576 is allowed\n");
  CHECK(faults(1'000, 104, 10'000).empty());
  CHECK_THAT(faults(1'000, 105, 10'000), Catch::StartsWith("memory.levels[0].scope: 105 of them are too many"));
  // What is wrong with the contexts is said of them alone.
  CHECK_THAT(faults(2, 1, 2'000'000), Catch::StartsWith("contexts_per_engine: ") && !Catch::Contains("memory.levels"));
}
