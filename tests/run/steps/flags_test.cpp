#include "run/sharing.hpp"

#include <catch2/catch.hpp>

#include <functional>

// Flags between the work-groups of a launch, and waits that pass before there was a signal.

using namespace gdsim;
using namespace gdsim::testing;

namespace {

/// A kernel of work-groups of `threads` threads; `program_of` gives the program of each.
Kernel kernel_by_group(std::uint64_t groups, std::uint64_t threads,
                       const std::function<Program(std::int64_t)>& program_of) {
  Kernel kernel = kernel_of(groups, threads, program_of(0));
  for (std::uint64_t group = 0; group < groups; ++group) {
    if (group > 0) kernel.group_programs.others.push_back(program_of(static_cast<std::int64_t>(group)));
    kernel.group_programs.of_group.push_back(static_cast<std::uint32_t>(group));
  }
  return kernel;
}

Program chain(std::int64_t group) {
  return {Wait{"flag", group - 1}, compute(ns(10)), Signal{"flag", group}, compute(ns(1))};
}

}  // namespace

TEST_CASE("each work-group waits for the flag of the one before it, and the first for nobody") {
  CHECK(duration(device_of(1, 8), workload_of({kernel_by_group(5, 1, chain)})) == ns(5 * 10 + 1));
  CHECK(duration(device_of(1, 2), workload_of({kernel_by_group(5, 1, chain)})) == ns(5 * 10 + 1));
}

TEST_CASE("a work-group signals when all its threads have, and all threads that wait continue then") {
  const auto program = [](std::int64_t group) {
    return Program{loop(group == 0 ? 1 : 0, {Only{{{0, 0}}, {compute(ns(7))}}, compute(ns(3)), Signal{"flag", group}}),
                   Wait{"flag", 0}, compute(ns(1))};
  };
  const FullRun run = run_fully(device_of(2, 8), workload_of({kernel_by_group(2, 4, program)}));
  CHECK(run.record.duration() == ns(10 + 1));
  CHECK(spent(run, Activity::barrier) == 4 * 10'000 + 3 * 7'000);
}

TEST_CASE("of a flag that several work-groups signal, a phase is complete when each has") {
  const auto program = [](std::int64_t group) {
    return Program{loop(static_cast<std::uint64_t>(group + 1), {compute(ns(10))}),
                   loop(group < 3 ? 1 : 0, {Signal{"sum", 0}}), Wait{"sum", 0}, compute(ns(1))};
  };
  CHECK(duration(device_of(1, 8), workload_of({kernel_by_group(3, 1, program)})) == ns(30 + 1));
  CHECK(duration(device_of(1, 8), workload_of({kernel_by_group(4, 1, program)})) == ns(40 + 1));
}

TEST_CASE("the n-th wait for a flag waits for its n-th signal") {
  const auto program = [](std::int64_t group) {
    return Program{loop(group == 0 ? 3 : 0, {compute(ns(10)), Signal{"item", 0}}),
                   loop(group == 1 ? 3 : 0, {Wait{"item", 0}, compute(ns(1))}), compute(ns(1))};
  };
  CHECK(duration(device_of(1, 8), workload_of({kernel_by_group(2, 1, program)})) == ns(30 + 1 + 1));
}

TEST_CASE("two launches of a kernel share no flag") {
  Workload workload = workload_of({kernel_by_group(3, 1, chain)});
  workload.launches.push_back(workload.launches.front());
  workload.launches.back().name = "again";
  workload.launches.back().at = at(ns(100));
  CHECK(duration(device_of(1, 8), workload) == ns(100 + 30 + 1));
}

TEST_CASE("a work-group that waits for one without a place stalls, and the flag is named") {
  const auto program = [](std::int64_t group) {
    return Program{Wait{"flag", group + 1}, compute(ns(10)), Signal{"flag", group}};
  };
  CHECK(duration(device_of(1, 2), workload_of({kernel_by_group(2, 1, program)})) == ns(20));
  const FullRun run = run_fully(device_of(1, 2), workload_of({kernel_by_group(3, 1, program)}));
  CHECK(run.record.outcome == Outcome::deadlock);
  REQUIRE(run.record.deadlock.groups.size() == 2);
  const DeadlockedGroup& last = run.record.deadlock.groups.back();
  CHECK(last.kind == ThreadWait::flag);
  CHECK(last.name == "flag");
  CHECK(last.flag_index == 2);
  CHECK(last.expected == 1);
  CHECK(last.happened == 0);
}

TEST_CASE("the first waits for buffers that are empty at first pass at once") {
  // Thread 0 fills a buffer in 2 ns; thread 1 empties it in 7. With n buffers, thread 0 is n ahead of it at most.
  const auto end = [](std::uint64_t buffers) {
    const Program program{Only{{{0, 0}}, {loop(6, {Wait{"empty"}, compute(ns(2)), Signal{"full"}})}},
                          Only{{{1, 1}}, {loop(6, {Wait{"full"}, compute(ns(7)), Signal{"empty", {}, buffers}})}}};
    return run_fully(device_of(1, 8), workload_of({kernel_of(1, 2, program)}));
  };
  CHECK(end(1).record.duration() == ns(6 * (2 + 7)));
  CHECK(end(2).record.duration() == ns(2 + 6 * 7));
  CHECK(spent(end(2), Activity::barrier) > spent(end(4), Activity::barrier));
  CHECK(end(0).record.outcome == Outcome::deadlock);
}

TEST_CASE("a loop of signals takes no time") {
  const Program program{
      Only{{{0, 0}}, {loop(6, {Wait{"empty"}, compute(ns(2)), Signal{"full"}})}},
      Only{{{1, 1}}, {loop(2, {Signal{"empty"}}), loop(6, {Wait{"full"}, compute(ns(7)), Signal{"empty"}})}}};
  CHECK(duration(device_of(1, 8), workload_of({kernel_of(1, 2, program)})) == ns(2 + 6 * 7));
}

TEST_CASE("of a load for two work-groups, each asks the levels that all cores share for half of its bytes") {
  DeviceSpec device = with(device_of(2, 1), [](DeviceSpec& d) {
    d.core_groups = {{"gpc", 1, {}}};
    d.clusters = ClusterRule{"gpc", 4, 4};
    d.dispatch.admission = Admission::whole;
    d.dispatch.ports.reset();
  });
  const auto time_of = [&](std::uint32_t receivers) {
    Kernel kernel = kernel_of(2, 1, {Memory{.bytes = Bytes{100}, .is_asynchronous = true, .multicast = receivers}});
    kernel.cluster = {2};
    return duration(device, workload_of({kernel}));
  };
  CHECK(time_of(1) == ns(200));
  CHECK(time_of(2) == ns(100));
  device.memory->core_bandwidth = BytesPerSecond{500'000'000};
  CHECK(time_of(2) == ns(200));  // each core takes all bytes
  device.memory->core_bandwidth.reset();
  device.memory->levels.front().scope = "core";
  CHECK(time_of(2) == ns(100));  // so does a level of a core, of which there are two
  CHECK(time_of(1) == ns(100));
}
