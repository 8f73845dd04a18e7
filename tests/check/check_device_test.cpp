#include "support/builders.hpp"

#include <gdsim/check/check_device.hpp>

#include <catch2/catch.hpp>

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
  CHECK(fault_after([](auto& d) { d.work_groups_per_core.count = 0; }) == "work_groups_per_core");
  CHECK(fault_after([](auto& d) { d.sub_group_sizes = {}; }) == "sub_group_sizes");
  CHECK(fault_after([](auto& d) { d.sub_group_sizes = {16, 8}; }) == "sub_group_sizes");
  CHECK(fault_after([](auto& d) { d.slm.sizes = {Bytes{2048}, Bytes{1024}}; }) == "slm.sizes");
  CHECK(fault_after([](auto& d) { d.slm.sizes = {Bytes{1024}, Bytes{1024}}; }) == "slm.sizes");
  CHECK(fault_after([](auto& d) { d.slm.per_core = Bytes{(std::int64_t{1} << 40) + 1}; }) == "slm.per_core");
  CHECK(fault_after([](auto& d) { d.dispatch.ports.count = 0; }) == "dispatch.ports");
}

TEST_CASE("a latency that is rounded to nothing does not limit a level") {
  MemoryRule memory;
  memory.in_flight = Bytes{64};
  memory.levels = {{"M", {}, {}, parse_step_time("0.1 ps").value}};
  CHECK(fault_after([&](auto& d) { d.memory = memory; }) == "memory.levels[0]");
  memory.levels[0].latency = parse_step_time("0.5 ps").value;
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
