#include "support/builders.hpp"
#include <gdsim/check/checks.hpp>

#include <catch2/catch.hpp>

#include <functional>
#include <optional>

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

TEST_CASE("every number of a device has a largest value") {
  CHECK(fault_after([](auto& d) { d.max_work_group_size = 1'048'577; }) == "max_work_group_size");
  CHECK(fault_after([](auto& d) { d.sub_group_sizes = {1, 1'025}; }) == "sub_group_sizes");
  CHECK(fault_after([](auto& d) { d.clock = Hertz{1'000'000'000'001}; }) == "clock");
  CHECK(fault_after([](auto& d) { d.clock = Hertz{0}; }) == "clock");
  CHECK(fault_after([](auto& d) { d.submit_overhead = Duration{1'000'000'000'000'001}; }) == "submit_overhead");
  CHECK(fault_after([](auto& d) { d.launch_latency = Duration{1'000'000'000'000'001}; }) == "launch_latency");
  CHECK(fault_after([](auto& d) { d.dependency_gap = Duration{1'000'000'000'000'001}; }) == "dependency_gap");
  CHECK(fault_after([](auto& d) { d.submission = SubmissionRule{1'000'001}; }) == "submission.batch");
  CHECK(fault_after([](auto& d) { d.submission = SubmissionRule{0}; }) == "submission.batch");
  CHECK(fault_after([](auto& d) {
          d.submission = SubmissionRule{1, Duration{1'000'000'000'000'001}};
        }) == "submission.flush");
  CHECK(fault_after([](auto& d) { d.copy = CopyRule{1'025, {1}, {}}; }) == "copy.engines");
  CHECK(fault_after([](auto& d) { d.copy = CopyRule{1, {1'000'000'000'000'001}, {}}; }) == "copy.bandwidth");
  CHECK(fault_after([](auto& d) { d.copy = CopyRule{1, {1}, {1'000'000'000'000'001}}; }) == "copy.latency");
  const Bytes too_much{(std::int64_t{1} << 40) + 1};
  CHECK(fault_after([&](auto& d) { d.slm.per_work_group = too_much; }) == "slm.per_work_group");
  CHECK(fault_after([&](auto& d) { d.slm.without_opt_in = too_much; }) == "slm.without_opt_in");
  CHECK(fault_after([&](auto& d) { d.slm.sizes = {too_much}; }) == "slm.sizes");
  CHECK(fault_after([&](auto& d) { d.slm.reserve = too_much; }) == "slm.reserve");
  MemoryRule memory;
  for (std::int64_t level = 1; level <= 16; ++level)
    memory.levels.push_back({"L", Bytes{level}, BytesPerSecond{1'000'000'000}, {}});
  memory.levels.push_back({"M", {}, BytesPerSecond{1'000'000'000}, {}});
  CHECK(fault_after([&](auto& d) { d.memory = memory; }) == "memory.levels");
  memory.levels.erase(memory.levels.begin());
  CHECK(fault_after([&](auto& d) { d.memory = memory; }) == "0 faults");
  RegisterRule registers;
  registers.per_engine = 1;
  registers.per_work_item = 1'000'000'001;
  CHECK(fault_after([&](auto& d) { d.registers = registers; }) == "registers.per_work_item");
}

namespace {

/// A number of a device, with the smallest and the largest value that it may have, where check_device() says so.
struct Bound {
  std::string field;
  std::optional<std::int64_t> min;
  std::optional<std::int64_t> max;
  std::function<void(DeviceSpec&, std::int64_t)> set;
};

std::uint32_t small(std::int64_t value) { return static_cast<std::uint32_t>(value); }
std::uint64_t whole(std::int64_t value) { return static_cast<std::uint64_t>(value); }

std::vector<Bound> bounds() {
  using D = DeviceSpec;
  using N = std::int64_t;
  constexpr N billion = 1'000'000'000;
  constexpr N tebibyte = N{1} << 40;
  constexpr N host = 1'000'000 * billion;  // 1000 s in picoseconds
  constexpr N bandwidth = 1'000'000 * billion;
  const auto registers = [](D& d) -> RegisterRule& {
    d.registers = RegisterRule{};
    d.registers->per_engine = 1;
    return *d.registers;
  };
  const auto scalar = [](D& d) -> ScalarRegisterRule& {
    d.scalar_registers = ScalarRegisterRule{};
    d.scalar_registers->per_engine = 1;
    return *d.scalar_registers;
  };
  const auto banks = [](D& d) -> SlmAccess& {
    d.slm_access = SlmAccess{};
    d.slm_access->banks = 16;
    d.slm_access->bank_width = Bytes{4};
    return *d.slm_access;
  };
  const auto memory = [](D& d) -> MemoryRule& {
    d.memory = MemoryRule{};
    d.memory->levels = {{"L", Bytes{1}, BytesPerSecond{1}, {}}, {"M", {}, BytesPerSecond{1}, {}}};
    return *d.memory;
  };
  const auto copy = [](D& d) -> CopyRule& {
    d.copy = CopyRule{1, {1}, {}};
    return *d.copy;
  };
  return {
      {"cores", 1, 100'000, [](D& d, N v) { d.cores = small(v); }},
      {"engines_per_core", 1, {}, [](D& d, N v) { d.engines_per_core = small(v); }},
      {"contexts_per_engine", 1, 5'000, [](D& d, N v) { d.contexts_per_engine = small(v); }},
      {"max_work_group_size", 1, 1'048'576, [](D& d, N v) { d.max_work_group_size = small(v); }},
      {"clock", 1, 1'000 * billion, [](D& d, N v) { d.clock = Hertz{v}; }},
      {"work_groups_per_core", 1, {}, [](D& d, N v) { d.work_groups_per_core = whole(v); }},
      {"work_groups_with_barrier_or_slm", 1, {}, [](D& d, N v) { d.work_groups_with_barrier_or_slm = whole(v); }},
      {"dispatch.ports", 1, {}, [](D& d, N v) { d.dispatch.ports = whole(v); }},
      {"dispatch.concurrent_kernels", 1, {}, [](D& d, N v) { d.dispatch.concurrent_kernels = whole(v); }},
      {"fused_engines", {}, 2, [](D& d, N v) { d.fused_engines = small(v); }},
      {"sub_group_sizes", 1, 1'024, [](D& d, N v) { d.sub_group_sizes = {small(v)}; }},
      {"large_grf.contexts_per_thread", 1, 4, [](D& d, N v) { d.large_grf_contexts = small(v); }},
      {"registers.per_engine", 1, billion, [=](D& d, N v) { registers(d).per_engine = whole(v); }},
      {"registers.granule", 1, billion, [=](D& d, N v) { registers(d).granule = whole(v); }},
      {"registers.accumulation_alignment", 1, billion,
       [=](D& d, N v) { registers(d).accumulation_alignment = whole(v); }},
      {"registers.per_work_item", 1, billion, [=](D& d, N v) { registers(d).per_work_item = whole(v); }},
      {"registers.per_work_group", 1, billion, [=](D& d, N v) { registers(d).per_work_group = whole(v); }},
      {"scalar_registers.per_engine", 1, billion, [=](D& d, N v) { scalar(d).per_engine = whole(v); }},
      {"scalar_registers.granule", 1, billion, [=](D& d, N v) { scalar(d).granule = whole(v); }},
      {"scalar_registers.reserve", {}, billion, [=](D& d, N v) { scalar(d).reserve = whole(v); }},
      {"grf_per_context", {}, tebibyte, [](D& d, N v) { d.grf_per_context = Bytes{v}; }},
      {"slm.per_core", {}, tebibyte, [](D& d, N v) { d.slm.per_core = Bytes{v}; }},
      {"slm.per_work_group", {}, tebibyte, [](D& d, N v) { d.slm.per_work_group = Bytes{v}; }},
      {"slm.without_opt_in", {}, tebibyte, [](D& d, N v) { d.slm.without_opt_in = Bytes{v}; }},
      {"slm.granule", 1, tebibyte, [](D& d, N v) { d.slm.granule = Bytes{v}; }},
      {"slm.reserve", {}, tebibyte, [](D& d, N v) { d.slm.reserve = Bytes{v}; }},
      {"slm_access.banks", 1, 4'096, [=](D& d, N v) { banks(d).banks = small(v); }},
      {"slm_access.bank_width", 1, 4'096, [=](D& d, N v) { banks(d).bank_width = Bytes{v}; }},
      {"memory.in_flight", 1, tebibyte, [=](D& d, N v) { memory(d).in_flight = Bytes{v}; }},
      {"memory.core_in_flight", 1, tebibyte, [=](D& d, N v) { memory(d).core_in_flight = Bytes{v}; }},
      {"memory.line", 1, 4'096, [=](D& d, N v) { memory(d).line = Bytes{v}; }},
      {"memory.levels[0].capacity", 1, tebibyte, [=](D& d, N v) { memory(d).levels[0].capacity = Bytes{v}; }},
      {"memory.levels[0].bandwidth",
       {},
       bandwidth,
       [=](D& d, N v) { memory(d).levels[0].bandwidth = BytesPerSecond{v}; }},
      {"copy.engines", 1, 1'024, [=](D& d, N v) { copy(d).engines = small(v); }},
      {"copy.bandwidth", 1, bandwidth, [=](D& d, N v) { copy(d).bandwidth = BytesPerSecond{v}; }},
      {"copy.latency", {}, host, [=](D& d, N v) { copy(d).latency = Duration{v}; }},
      {"submit_overhead", {}, host, [](D& d, N v) { d.submit_overhead = Duration{v}; }},
      {"launch_latency", {}, host, [](D& d, N v) { d.launch_latency = Duration{v}; }},
      {"dependency_gap", {}, host, [](D& d, N v) { d.dependency_gap = Duration{v}; }},
  };
}

}  // namespace

TEST_CASE("the smallest and the largest value of each number of a device are no faults, the next beyond is one") {
  for (const Bound& bound : bounds()) {
    INFO(bound.field);
    const auto fault_of = [&](std::int64_t value) { return fault_after([&](DeviceSpec& d) { bound.set(d, value); }); };
    if (bound.min) {
      CHECK(fault_of(*bound.min) == "0 faults");
      CHECK(fault_of(*bound.min - 1) == bound.field);
    }
    if (bound.max) {
      CHECK(fault_of(*bound.max) == "0 faults");
      CHECK(fault_of(*bound.max + 1) == bound.field);
    }
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
