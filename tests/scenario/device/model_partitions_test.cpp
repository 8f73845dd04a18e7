#include "support/scenarios.hpp"
#include "support/temporary_folder.hpp"

#include <gdsim/scenario/read_scenario.hpp>

#include <catch2/catch.hpp>

#include <string>

// `partitions:` of a model, and `partition:` of a device that is based on it.

using namespace gdsim;
using namespace gdsim::testing;
using Catch::Contains;

namespace {

const std::string kWhole =
    "device: whole\nname: Whole\ncores: 8\nengines_per_core: 1\ncontexts_per_engine: 8\nsub_group_sizes: [8]\n"
    "max_work_group_size: 64\nwork_groups_per_core: 4\nbarriers_per_core: 4\n"
    "slm: {per_core: 1 KiB, per_work_group: 1 KiB}\nclock: 1 GHz\n"
    "core_groups: [{name: die, count: 4}]\natomics: {global: 1, global_total: 12}\n"
    "memory:\n  capacity: 8 GiB\n  levels:\n    - {name: L1, capacity: 8 KiB, bandwidth: 9 GB/s, scope: core}\n"
    "    - {name: L2, capacity: 1 MiB, bandwidth: 100 GB/s}\n    - {name: DRAM, bandwidth: 10 GB/s}\n"
    "copy: {engines: 2, bandwidth: 1 GB/s}\ndispatch: {placement: fill_first}\n";

/// A scenario on a model with these partitions.
struct OnParts {
  explicit OnParts(const std::string& partitions) {
    folder.write("whole.yaml", kWhole + "partitions:\n" + partitions + "sources: {partitions: of a test}\n");
  }

  ReadText read(const std::string& device) const {
    ReadOptions options;
    options.models = {folder.path()};
    return read_text("scenario: S\ndevice: " + device +
                         "\nkernels: {k: {global: 8, local: 8, sub_group: 8, program: [compute: 1 us]}}\n"
                         "launches: [{kernel: k}]\n",
                     options);
  }
  DeviceSpec device(const std::string& text) const {
    const ReadText found = read(text);
    INFO(found.problems);
    REQUIRE(found.problems.empty());
    return found.scenario().device;
  }
  std::string problems(const std::string& text) const { return read(text).problems; }

  TemporaryFolder folder;
};

const std::string kHalf =
    "  half: {cores: 4, core_groups: [{name: die, count: 2}], memory_share: 1/2, copy: {engines: 1}}\n";

}  // namespace

TEST_CASE(
    "a partition has its own counts, its share of levels that all cores share, and the rest of the whole device") {
  const OnParts parts(kHalf);
  const DeviceSpec half = parts.device("{base: whole, partition: half}");
  CHECK(half.cores == 4);
  CHECK(half.core_groups.front().count == 2);
  CHECK(half.copy->engines == 1);
  CHECK(half.copy->bandwidth.count == 1'000'000'000);
  CHECK(half.name == "Whole, partition half");
  CHECK(half.memory->levels[0].bandwidth->count == 9'000'000'000);  // each core has its own
  CHECK(half.memory->levels[1].bandwidth->count == 50'000'000'000);
  CHECK(half.memory->levels[1].capacity->count == 512 * 1024);
  CHECK(half.memory->levels[2].bandwidth->count == 5'000'000'000);
  CHECK(half.memory->capacity->count == std::int64_t{4} << 30);
  CHECK(compare(*half.atomics.global_total, Decimal::whole(6)) == 0);
  CHECK(parts.device("whole").cores == 8);
}

TEST_CASE("shares may differ by level, and what stands beside `partition` wins") {
  const OnParts parts("  odd: {cores: 4, memory_share: {L2: 1/3}, atomics: {global_total: 5}}\n");
  const DeviceSpec odd = parts.device("{base: whole, partition: odd, clock: 2 GHz}");
  CHECK(odd.memory->levels[1].bandwidth->count == 33'333'333'333);
  CHECK(odd.memory->levels[2].bandwidth->count == 10'000'000'000);
  CHECK(compare(*odd.atomics.global_total, Decimal::whole(5)) == 0);
  CHECK(odd.clock->count == 2'000'000'000);
}

TEST_CASE("a partition has no partitions: their shares are of the whole") {
  const OnParts parts(kHalf);
  parts.folder.write("mine.yaml", "device: mine\nbase: whole\npartition: half\n");
  CHECK(parts.device("mine").cores == 4);
  CHECK_THAT(parts.problems("{base: mine, partition: half}"), Contains("the model in `base:` has no partitions"));
}

TEST_CASE("partitions that are not there, or cannot be, are refused") {
  CHECK_THAT(OnParts(kHalf).problems("{base: whole, partition: quarter}"),
             Contains("there is no partition 'quarter'; known: half"));
  CHECK_THAT(OnParts(kHalf).problems("{base: whole, partition: HALF}"),
             Contains("there is no partition 'HALF'; known: half; write `device: {base: whole, partition: half}`"));
  CHECK_THAT(OnParts(kHalf).problems("{base: tiny, partition: half}"), !Contains("known: half"));
  CHECK_THAT(OnParts("  p: {memory_share: {HBM: 1/2}}\n").problems("{base: whole, partition: p}"),
             Contains("there is no level 'HBM' that all cores share; known: L2, DRAM"));
  CHECK_THAT(OnParts("  p: {memory_share: {L1: 1/2}}\n").problems("{base: whole, partition: p}"),
             Contains("there is no level 'L1' that all cores share"));
  CHECK_THAT(OnParts("  p: {cores: 0}\n").problems("whole"), Contains("cores"));
  CHECK_THAT(OnParts("  p: {cores: 100001}\n").problems("whole"),
             Contains("cores: '100001' is too large: at most 100000 is allowed"));
  for (const char* share : {"0/2", "3/2", "half", "1/0"})
    CHECK_THAT(OnParts(std::string("  p: {memory_share: ") + share + "}\n").problems("whole"),
               Contains("is not a fraction of slices such as 4/8"));
  CHECK_THAT(OnParts("  p: {core: 4}\n").problems("whole"), Contains("unknown key 'core'"));
}
