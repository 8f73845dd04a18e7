#include "scenario/schemas.hpp"
#include "support/builders.hpp"
#include "support/scenarios.hpp"
#include "support/temporary_folder.hpp"

#include <reference/key_reference.hpp>

#include <catch2/catch.hpp>

#include <algorithm>
#include <string>
#include <vector>

// The largest value of each number is the same for the reader and for the schemas.

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

std::string scenario_of(const std::string& kernel, const std::string& launch, const std::string& device = {}) {
  return "scenario: S\ndevice: {base: tiny" + device + "}\nkernels:\n  k: {global: 8, local: 8, " + kernel +
         "}\nlaunches: [{kernel: k" + launch + "}]\n";
}

/// A collective on two devices, with these keys.
std::string collective_of(const std::string& keys) {
  return "scenario: S\ndevices: {a: tiny, b: tiny}\n"
         "links: [{between: [a, b], bandwidth: 1 GB/s, latency: 1 us}]\nkernels: {k: {global: 8, local: 8, sub_group: "
         "8, "
         "program: [compute: 1 us]}}\nlaunches: [{kernel: k, device: a}, {collective: {kind: all_reduce, bytes: 1 KiB, "
         "devices: [a, b], algorithm: ring, " +
         keys + "}}]\n";
}

/// All maxima below 2^63 - 1 that a schema gives.
std::size_t maxima_in(const json& schema) {
  std::size_t count = 0;
  if (schema.is_object() && schema.contains("maximum") && schema["maximum"].is_number_integer() &&
      schema["maximum"].get<std::uint64_t>() < 9'223'372'036'854'775'807U)
    ++count;
  for (const json& part : schema)
    if (part.is_structured()) count += maxima_in(part);
  return count;
}

const std::vector<Largest> kOfDevices{
    {"cores: @", 100'000},
    {"partitions: {p: {cores: @}}", 100'000},
    {"submission: {batch: @}", 1'000'000},
    {"core_groups: [{name: g, count: @}]", 100'000},
    {"core_groups: [{name: g, sizes: [@]}]", 100'000},
    {"clusters: {within: g, max: @}", 10'000},
    {"clusters: {within: g, max: 1, non_portable_max: @}", 10'000},
    {"engines_per_core: @", 10'000},
    {"contexts_per_engine: @", 10'000},
    {"sub_group_sizes: [@]", 1'024},
    {"max_work_group_size: @", 1'048'576},
    {"large_grf: {contexts_per_thread: @}", 10'000},
    {"barriers_per_core: @", 4'294'967'295},
    {"work_groups_per_core: @", 4'294'967'295},
    {"work_groups_with_barrier_or_slm: @", 4'294'967'295},
    {"dispatch: {ports: @}", 4'294'967'295},
    {"dispatch: {concurrent_kernels: @}", 4'294'967'295},
    {"fused_engines: @", 10'000},
    {"tie_order: [@]", 99'999},
    {"slm_access: {banks: @}", 4'096},
    {"slm_access: {banks: 1, accesses_per_cycle: @}", 64},
    {"l1: {lines_per_cycle: @}", 1'000'000},
    {"arithmetic: {fp32: @}", 1'000'000},
    {"atomics: {global: @}", 1'000},
    {"atomics: {global_total: @}", 1'000},
    {"atomics: {global_float: @}", 1'000},
    {"copy: {bandwidth: 1 GB/s, engines: @}", 1'024},
    {"registers: {granule: 1, per_engine: @}", 1'000'000'000},
    {"registers: {per_engine: 100, granule: @}", 1'000'000'000},
    {"registers: {per_engine: 100, granule: 1, per_work_item: @}", 1'000'000'000},
    {"registers: {per_engine: 100, granule: 1, per_work_group: @}", 1'000'000'000},
    {"registers: {per_engine: 100, granule: 1, accumulation_alignment: @}", 1'000'000'000},
    {"scalar_registers: {granule: 1, per_engine: @}", 1'000'000'000},
    {"scalar_registers: {per_engine: 100, granule: @}", 1'000'000'000},
    {"scalar_registers: {per_engine: 100, granule: 1, reserve: @}", 1'000'000'000},
    {"modes: {m: {max_work_group_size: @}}", 1'048'576},
    {"modes: {m: {barriers_per_core: @}}", 4'294'967'295},
};

const std::string kProgram = "program: [compute: 1 us]";
const std::string kMemory = ", memory: {line: 1 B, levels: [{name: L, bandwidth: 1000 TB/s}]}";

const std::vector<Largest> kOfScenarios{
    {scenario_of("sub_group: @, " + kProgram, ""), 4'294'967'295},
    {scenario_of("sub_group: 8, program_sub_group: @, " + kProgram, ""), 4'294'967'295},
    {scenario_of("sub_group: 8, barriers: @, " + kProgram, ""), 4'294'967'295},
    {scenario_of("sub_group: 8, dependence: @, " + kProgram, ""), 4'294'967'295},
    {scenario_of("sub_group: 8, registers: @, " + kProgram, ""), 4'294'967'295},
    {scenario_of("sub_group: 8, accumulation_registers: @, " + kProgram, ""), 4'294'967'295},
    {scenario_of("sub_group: 8, scalar_registers: @, " + kProgram, ""), 4'294'967'295},
    {scenario_of("sub_group: 8, carveout_percent: @, " + kProgram, ""), 100},
    {scenario_of("sub_group: 8, program: [issue: {fp32: @}]", ""), std::uint64_t{1} << 40},
    {scenario_of("sub_group: 8, program: [issue: {mma: m8n8k4 fp64, count: @}]", ""), std::uint64_t{1} << 32},
    {scenario_of("sub_group: 8, program: [issue: {fp32: 1, l1: @}]", ""), std::uint64_t{1} << 40},
    {scenario_of("sub_group: 8, program: [issue: {fp32: 1, l1: [{source_line: @, lines: 1}]}]", ""), 4'294'967'295},
    {scenario_of("sub_group: 8, program: [issue: {fp32: 1, l1: [{source_line: 1, lines: @}]}]", ""),
     std::uint64_t{1} << 40},
    {scenario_of("sub_group: 8, program: [issue: {fp32: 1, l1: [{source_line: 1, lines: 1, requests: @}]}]", ""),
     std::uint64_t{1} << 40},
    {scenario_of("sub_group: 8, program: [issue: {fp32: 1, l1: [{source_line: 1, lines: 1, sectors: @}]}]", ""),
     std::uint64_t{1} << 40},
    {scenario_of("sub_group: 8, program: [issue: {fp32: 1, l1: [{source_line: 1, lines: 1099511627776, coalesced: "
                 "@}]}]",
                 ""),
     std::uint64_t{1} << 40},
    {scenario_of("sub_group: 8, program: [issue: {fp32: 1, l1: [{source_line: 1, lines: 1, excess_sectors: @}]}]", ""),
     std::uint64_t{1} << 40},
    {scenario_of("sub_group: 8, program: [memory: {bytes: 1 B, written: {whole: @}}]", "", kMemory), 1'000'000'000},
    {scenario_of("sub_group: 8, program: [memory: {bytes: 1 B, written: {partial: @}}]", "", kMemory), 1'000'000'000},
    {scenario_of("sub_group: 8, cluster: 64, program: [memory: {bytes: 1 B, asynchronous: true, multicast: @}]", "",
                 kMemory),
     64},
    {scenario_of("sub_group: 8, program: [signal: {name: s, initially: @}, compute: 1 us]", ""), 65'536},
    {scenario_of("sub_group: 8, program: [memory: {elements: @}]", "", kMemory), std::uint64_t{1} << 40},
    {scenario_of("sub_group: 8, program: [memory: {elements: 1, stride: @}]", "", kMemory), std::uint64_t{1} << 40},
    {scenario_of("sub_group: 8, program: [slm: {accesses: @}]", ""), std::uint64_t{1} << 40},
    {scenario_of("sub_group: 8, program: [slm: {accesses: 1, stride: @}]", ""), std::uint64_t{1} << 20},
    {scenario_of("sub_group: 8, program: [slm: {accesses: 1, bytes: @}]", ""), 1'024},
    {scenario_of("sub_group: 8, program: [atomic: {accesses: @, addresses: 1, space: slm}]", ""),
     std::uint64_t{1} << 20},
    {scenario_of("sub_group: 8, program: [atomic: {accesses: 1, addresses: @, space: slm}]", ""),
     std::uint64_t{1} << 40},
    {scenario_of("sub_group: 8, program: [compute: 1 us, wait_memory: {outstanding: @}]", ""), 63},
    {scenario_of("sub_group: 8, program: [tiles: {list: l, count: @, take: static, body: [compute: 1 us]}]", ""),
     1'048'576},
    {scenario_of("sub_group: 8, registers: {8: @}, " + kProgram, ""), 4'294'967'295},
    {scenario_of("sub_group: 8, spill: {bytes: 8 B, accesses: @}, " + kProgram, "", ", memory: {levels: [{name: L}]}"),
     4'096},
    {scenario_of("sub_group: 8, program: [loop: {count: @, body: [compute: 1 us]}]", ""), std::uint64_t{1} << 60},
    {scenario_of("sub_group: 8, " + kProgram + ", variation: {distribution: lognormal, cv: @, seed: 1}", ""), 10},
    {scenario_of("sub_group: 8, " + kProgram, ", priority: @"), 4'294'967'295},
    {scenario_of("sub_group: 8, " + kProgram, ", count: @"), 10'000'000},
    {scenario_of("sub_group: 8, " + kProgram, "") + "queues: {q: {priority: @}}\n", 4'294'967'295},
    {collective_of("work_groups: @, local: 8"), 1'000'000},
    {collective_of("work_groups: 1, local: @"), 1'000'000},
    {collective_of("work_groups: 1, local: 8, registers: @"), 4'294'967'295},
    {scenario_of("sub_group: 8, " + kProgram, "", ", hardware_queues: {}") + "queues: {q: {hardware: @}}\n",
     4'294'967'295},
    {scenario_of("sub_group: 8, " + kProgram, "") + "queues: {q: {cores: {count: @}}}\n", 100'000},
    {scenario_of("sub_group: 8, " + kProgram, "") + "queues: {q: {cores: {count: 1, granule: @}}}\n", 100'000},
};

}  // namespace

TEST_CASE("the largest value of each number of a device is that of its schema, and one more is refused by both") {
  for (const Largest& place : kOfDevices) {
    INFO(place.text);
    const auto device = [&](std::uint64_t number) {
      return "device: d\nbase: tiny\n" + with_number(place, number) + "\n";
    };
    CHECK(device_schema_accepts(json_of_text(device(place.max))));
    CHECK_FALSE(device_schema_accepts(json_of_text(device(place.max + 1))));
    if (place.text.starts_with("modes:")) continue;  // read where a kernel names one
    CHECK_FALSE(problems_of_device(device(place.max + 1)).empty());
  }
}

TEST_CASE("the largest value of each number of a scenario is that of its schema, and one more is refused by both") {
  for (const Largest& place : kOfScenarios) {
    INFO(place.text);
    CHECK(scenario_schema_accepts(json_of_text(with_number(place, place.max))));
    // The validator compares doubles: these are whole up to 2^53.
    const std::uint64_t beyond = place.max < std::uint64_t{1} << 53 ? place.max + 1 : 2 * place.max;
    CHECK_FALSE(scenario_schema_accepts(json_of_text(with_number(place, beyond))));
    CHECK_FALSE(read_text(with_number(place, place.max + 1)).problems.empty());
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

TEST_CASE("each maximum of the schemas is tried") {
  // `limit` stands once, and is that of four keys; the order of ties and that of a mode's barriers stand twice.
  CHECK(maxima_in(schema_file("models/device.schema.json")["definitions"]) == 31);
  CHECK(maxima_in(schema_file("scenarios/scenario.schema.json")["definitions"]) == 47);
}
