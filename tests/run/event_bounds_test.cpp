#include "support/builders.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <map>

// A bound on events ends a run with the instant at which it is reached, however many events were before.

using namespace gdsim;
using namespace gdsim::testing;

namespace {

/// 8 cores that each end 8 work-groups and begin others at every instant, for ever.
RunResult run_to(std::uint64_t events) {
  const DeviceSpec device = with(small_device(), [](DeviceSpec& d) {
    d.cores = 8;
    d.work_groups_per_core = 8;
  });
  InternalRunOptions options;
  options.bounds.events = events;
  return simulate(device, device.dispatch, workload_of({kernel_of(1'000'000'000, 1, {compute(ns(1))})}), options);
}

}  // namespace

TEST_CASE("a run that reaches a bound on events has completed its last instant, also beyond a million events",
          "[figures]") {
  for (const std::uint64_t bound : {std::uint64_t{1'000}, std::uint64_t{1'000'000}}) {
    std::map<std::int64_t, std::uint64_t> events_at;  // by the time at which the run ended
    for (std::uint64_t offset = 0; offset < 70; offset += 5) {
      const RunResult run = run_to(bound + offset);
      CHECK(run.record.outcome == Outcome::bounded);
      CHECK(run.events >= bound + offset);
      CHECK(run.events < bound + offset + 66);  // an instant has 64 ends and a turn
      // 64 work-groups end at every instant but the first.
      CHECK(run.record.launches[0].work_groups_ended == static_cast<std::uint64_t>(run.record.end.count / 1'000) * 64);
      // Others have begun in their places.
      CHECK(run.record.launches[0].work_groups_dispatched == run.record.launches[0].work_groups_ended + 64);
      const auto [entry, is_new] = events_at.emplace(run.record.end.count, run.events);
      CHECK(entry->second == run.events);
    }
    CHECK(events_at.size() == 2);
    // A bound at the very last event of an instant ends the run there.
    for (const auto& [time, events] : events_at) CHECK(run_to(events).record.end == at(ps(time)));
  }
}

TEST_CASE("an instant of more than a million events is left at a bound on events, and only there", "[figures]") {
  // Thread 0 takes time; before it is over, the others synchronize 1.8 million times.
  const DeviceSpec device = one_core();
  const Program meetings(30, Barrier{"x"});
  const Workload workload =
      workload_of({kernel_of(1, 4, {Loop{60'000, {Only{{{0, 0}}, {compute(ns(1))}}, Only{{{1, 3}}, meetings}}}})});
  for (const std::uint64_t bound : {1'000U, 1'000'000U, 1'200'001U, 1'200'002U, 1'200'003U}) {
    InternalRunOptions options;
    options.bounds.events = bound;
    const RunResult run = simulate(device, device.dispatch, workload, options);
    CHECK(run.record.outcome == Outcome::bounded);
    CHECK(run.record.end == at(ps(0)));
    CHECK(run.events >= std::max<std::uint64_t>(bound, 1'000'000));
    CHECK(run.events < std::max<std::uint64_t>(bound, 1'000'000) + 4);
  }
}

TEST_CASE("a bound on time ends a run that has nothing to do until later, also at 0") {
  Workload later = workload_of({kernel_of(1, 1, {compute(us(1))})});
  later.launches[0].at = at(us(5));
  for (const Duration bound : {us(0), us(4)}) {
    InternalRunOptions options;
    options.bounds.time = at(bound);
    const RunResult run = simulate(small_device(), small_device().dispatch, later, options);
    CHECK(run.record.outcome == Outcome::bounded);
    CHECK(run.record.end == at(bound));
    CHECK(run.record.work_groups_dispatched() == 0);
  }
}
