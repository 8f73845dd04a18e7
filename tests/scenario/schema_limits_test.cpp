#include "scenario/schemas.hpp"
#include "support/builders.hpp"
#include "support/scenarios.hpp"
#include "support/temporary_folder.hpp"

#include <reference/key_reference.hpp>

#include <catch2/catch.hpp>

#include <algorithm>
#include <string>
#include <vector>

// Largest values that the ranges of keys do not give: inside lists, and of quantities. The others are tried in
// key_table_test.cpp.

using namespace gdsim;
using namespace gdsim::testing;
using nlohmann::json;

namespace {

/// Where a number stands, `@` in its place, and the most that it may be.
struct Largest {
  std::string text;
  std::uint64_t max;
};

std::string with_number(const Largest& place, std::uint64_t number) {
  std::string text = place.text;
  return text.replace(text.find('@'), 1, std::to_string(number));
}

/// What the reader says of a scenario on this device.
std::string problems_of_device(const std::string& device) {
  const TemporaryFolder folder;
  const std::string file = folder.write("d.yaml", device);
  return read_text("scenario: S\ndevice: " + file +
                   "\nkernels:\n  k: {global: 8, local: 8, sub_group: 8, program: [compute: 1 us]}\n"
                   "launches: [kernel: k]\n")
      .problems;
}

/// Numbers that are items of a list, or have names of a user's: `gdsim help` gives no range for them.
const std::vector<Largest> kInside{
    {"core_groups: [{name: g, sizes: [@]}]", 100'000},
    {"sub_group_sizes: [@]", 1'024},
    {"tie_order: [@]", 99'999},
    {"dispatch: {tie_order: [@]}", 99'999},
    {"arithmetic: {fp32: @}", 1'000'000},
};

}  // namespace

TEST_CASE("the largest value of numbers inside lists is that of the schema, and one more is refused by both") {
  for (const Largest& place : kInside) {
    INFO(place.text);
    const auto device = [&](std::uint64_t number) {
      return "device: d\nbase: tiny\n" + with_number(place, number) + "\n";
    };
    CHECK(device_schema_accepts(json_of_text(device(place.max))));
    CHECK_FALSE(device_schema_accepts(json_of_text(device(place.max + 1))));
    CHECK_FALSE(problems_of_device(device(place.max + 1)).empty());
  }
}

TEST_CASE(
    "numbers of a device are taken up to their largest value by the reader, where nothing else stands against it") {
  for (const Largest& place :
       {Largest{"cores: @", 100'000}, Largest{"max_work_group_size: @", 1'048'576},
        Largest{"clusters: {within: g, max: @}", 10'000}, Largest{"work_groups_per_core: @", 4'294'967'295},
        Largest{"barriers_per_core: @", 4'294'967'295}, Largest{"copy: {bandwidth: 1 GB/s, engines: @}", 1'024},
        Largest{"registers: {granule: 1, per_engine: @}", 1'000'000'000}}) {
    INFO(place.text);
    CHECK(problems_of_device("device: d\nbase: tiny\n" + with_number(place, place.max) + "\n").empty());
  }
}

TEST_CASE("the largest quantity of a device is what its line in the reference says, and more is refused") {
  struct LargestQuantity {
    std::string path, key, text, max, beyond, said;
  };
  const std::string level = "levels: [{name: L, bandwidth: 1 GB/s}]";
  const std::vector<LargestQuantity> largest{
      {"", "clock", "clock: @", "1000 GHz", "1001 GHz", "1000 GHz"},
      {"", "grf_per_context", "grf_per_context: @", "1024 GiB", "1025 GiB", "1 TiB"},
      {"", "submit_overhead", "submit_overhead: @", "1000 s", "1001 s", "1000 s"},
      {"", "launch_latency", "launch_latency: @", "1000 s", "1001 s", "1000 s"},
      {"", "dependency_gap", "dependency_gap: @", "1000 s", "1001 s", "1000 s"},
      {"submission", "flush", "submission: {batch: 2, flush: @}", "1000 s", "1001 s", "1000 s"},
      {"copy", "latency", "copy: {bandwidth: 1 GB/s, latency: @}", "1000 s", "1001 s", "1000 s"},
      {"copy", "bandwidth", "copy: {bandwidth: @}", "1000 TB/s", "1001 TB/s", "1000 TB/s"},
      {"memory", "in_flight", "memory: {in_flight: @, " + level + "}", "1024 GiB", "1025 GiB", "1 TiB"},
      {"memory", "capacity", "memory: {capacity: @, " + level + "}", "1024 GiB", "1025 GiB", "1 TiB"},
      {"memory", "line", "memory: {line: @, " + level + "}", "4096 B", "4097 B", "4 KiB"},
      {"memory", "core_bandwidth", "memory: {core_bandwidth: @, " + level + "}", "1000 TB/s", "1001 TB/s", "1000 TB/s"},
      {"memory.levels[]", "bandwidth", "memory: {levels: [{name: L, bandwidth: @}]}", "1000 TB/s", "1001 TB/s",
       "1000 TB/s"},
      {"memory.levels[]", "latency", "memory: {levels: [{name: L, bandwidth: 1 GB/s, latency: @}]}", "1 s", "2 s",
       "1 s"},
      {"slm_access", "bank_width", "slm_access: {banks: 1, bank_width: @}", "4096 B", "4097 B", "4,096 B"},
      {"written_sector", "whole", "written_sector: {whole: @, partial: 1 B}", "4096 B", "4097 B", "4 KiB"},
      {"written_sector", "partial", "written_sector: {whole: 1 B, partial: @}", "4096 B", "4097 B", "4 KiB"},
      {"l1", "latency", "l1: {lines_per_cycle: 1, latency: @}", "1 s", "2 s", "1 s"},
      {"slm_access", "latency", "slm_access: {banks: 1, latency: @}", "1 s", "2 s", "1 s"},
      {"barrier_cost", "base", "barrier_cost: {base: @}", "1 s", "2 s", "1 s"},
      {"barrier_cost", "per_thread", "barrier_cost: {per_thread: @}", "1 s", "2 s", "1 s"},
      {"slm", "per_core", "slm: {per_core: @}", "1024 GiB", "1025 GiB", "1 TiB"}};
  for (const LargestQuantity& place : largest) {
    INFO(place.text);
    const auto problems = [&](const std::string& value) {
      std::string text = place.text;
      return problems_of_device("device: d\nbase: tiny\n" + text.replace(text.find('@'), 1, value) + "\n");
    };
    CHECK(problems(place.max) == "");
    CHECK_FALSE(problems(place.beyond).empty());
    std::string description;
    for (const cli::KeySection& section : cli::device_keys())
      for (const cli::KeyEntry& key : section.keys)
        if (section.path == place.path && key.name == place.key) description = key.description;
    CHECK_THAT(description, Catch::Contains(place.said));
  }
}
