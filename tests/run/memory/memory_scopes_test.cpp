#include "support/builders.hpp"
#include "support/scenarios.hpp"

#include <catch2/catch.hpp>

// Levels of the memory that belong to groups of cores: small_device() has 2 cores of 8 contexts.

using namespace gdsim;
using namespace gdsim::testing;

namespace {

/// 4 cores in 2 stacks, each with a memory of 1 GB/s: a byte a nanosecond.
DeviceSpec two_stacks(const std::string& scope) {
  return with(small_device(), [&](DeviceSpec& d) {
    d.cores = 4;
    d.core_groups = {{"stack", 2}};
    d.dispatch.placement = "round_robin";
    d.memory = MemoryRule{};
    d.memory->levels = {{"HBM", {}, BytesPerSecond{1'000'000'000}, {}, scope}};
  });
}

/// Each work-group is a thread that reads 100 bytes, or executes the given program.
Duration time_of(const DeviceSpec& device, std::uint64_t groups, CoreSelection cores = {},
                 const Program& program = {Memory{Bytes{100}}}) {
  Workload workload = workload_of({kernel_of(groups, 1, program)});
  workload.launches[0].as_kernel().cores = std::move(cores);
  return since_start(run_fully(device, workload).record.end);
}

}  // namespace

TEST_CASE("threads compete for a level only with those of the cores that share it") {
  CHECK(time_of(two_stacks("device"), 4) == ns(400));
  CHECK(time_of(two_stacks("stack"), 4) == ns(200));
  CHECK(time_of(two_stacks("core_group"), 4) == ns(200));
  CHECK(time_of(two_stacks("core"), 4) == ns(100));
}

TEST_CASE("one stack alone gets half of what both get") {
  const CoreSelection one{{core(0), core(1)}};
  CHECK(time_of(two_stacks("stack"), 8, one) == ns(800));
  CHECK(time_of(two_stacks("stack"), 8) == ns(400));
  CHECK(time_of(two_stacks("device"), 8, one) == time_of(two_stacks("device"), 8));
}

TEST_CASE("a level of a scope keeps a working set of its own cores") {
  DeviceSpec device = two_stacks("stack");
  // Each stack's cache keeps 100 bytes; beyond it the device reads a byte a nanosecond.
  device.memory->levels = {{"L2", Bytes{100}, {}, {}, "stack"}, {"HBM", {}, BytesPerSecond{1'000'000'000}, {}}};
  device.memory->core_bandwidth = BytesPerSecond{100'000'000'000};
  Workload workload = workload_of({kernel_of(2, 1, {Memory{Bytes{100}}})});
  workload.kernels[0].working_set = Bytes{100};
  workload.launches[0].as_kernel().cores = {{core(0), core(0)}, {core(2), core(2)}};
  CHECK(run_fully(device, workload).record.end == at(ns(1)));  // all of it is kept: 100 B at 100 B/ns
  workload.launches[0].as_kernel().cores = {{core(0), core(1)}};
  CHECK(run_fully(device, workload).record.end == at(ns(100)));  // half of it is: 2 x 50 B at 1 B/ns
}

TEST_CASE("what a launch shares counts once in each group of cores that has one of its work-groups") {
  DeviceSpec device = two_stacks("stack");
  device.memory->levels = {{"L2", Bytes{100}, {}, {}, "stack"}, {"HBM", {}, BytesPerSecond{1'000'000'000}, {}}};
  device.memory->core_bandwidth = BytesPerSecond{100'000'000'000};
  Workload workload = workload_of({kernel_of(4, 1, {Memory{Bytes{100}}})});
  workload.kernels[0].shared_working_set = Bytes{200};
  CHECK(run_fully(device, workload).record.end == at(ns(200)));  // each stack keeps half of it: 4 x 50 B at 1 B/ns
  workload.launches[0].as_kernel().cores = {{core(0), core(1)}};
  CHECK(run_fully(device, workload).record.end == at(ns(200)));  // as many bytes on one
}

TEST_CASE("asynchronous loads compete for a level only with those of the cores that share it") {
  const Program two_loads{Memory{Bytes{100}, true}, Memory{Bytes{100}, true}};
  CHECK(time_of(two_stacks("device"), 4, {}, two_loads) == ns(800));
  CHECK(time_of(two_stacks("stack"), 4, {}, two_loads) == ns(400));
  CHECK(time_of(two_stacks("core"), 4, {}, two_loads) == ns(200));
}

TEST_CASE("a scope that the device does not have is refused, with those that it has") {
  const std::string problems =
      read_text(
          "scenario: s\ndevice: {base: tiny, core_groups: [{name: stack, count: 2}], memory: {levels: [{name: M, "
          "scope: die, bandwidth: 1 GB/s}]}}\nkernels: {k: {global: 8, local: 8, sub_group: 8, program: [memory: 1 "
          "KiB]}}\n"
          "launches: [{kernel: k}]\n")
          .problems;
  CHECK_THAT(problems,
             Catch::Contains("levels.0.scope: is 'die'; known on this device: device, core, core_group, stack"));
}
