#include "run/sharing.hpp"

#include <catch2/catch.hpp>

using namespace gdsim;
using namespace gdsim::testing;

// Loops: how long they take, and how many events.

TEST_CASE("a loop takes as long as its iterations, whatever is in it") {
  const auto time_of = [](std::uint64_t count, const Program& body) {
    return duration(device_of(1, 8), workload_of({kernel_of(2, 2, {loop(count, body)})}));
  };
  CHECK(time_of(1000, {compute(ns(3))}) == us(3));
  CHECK(time_of(1000, {compute(ns(3)), compute(ns(4))}) == us(7));
  CHECK(time_of(1000, {memory(1)}) == us(4));
  CHECK(time_of(1000, {issue(ns(1))}) == us(4));
  CHECK(time_of(10, {loop(10, {loop(10, {compute(ns(3))})})}) == us(3));
  CHECK(time_of(100, {compute(ns(3)), barrier()}) == ns(300));
  CHECK(time_of(100, {memory(1), compute(ns(6))}) == us(1));
}

TEST_CASE("a million iterations cost as many events as ten if nothing happens between them") {
  const auto events = [](std::uint64_t count, const Program& body) {
    const DeviceSpec device = device_of(1, 8);
    const auto result = simulate(device, device.dispatch, workload_of({kernel_of(3, 2, {loop(count, body)})}));
    CHECK(result.record.outcome == Outcome::completed);
    return result.events;
  };
  const std::vector<Program> bodies{{compute(ns(3))}, {memory(1)}, {issue(ns(1))}};
  for (const Program& body : bodies) CHECK(events(1'000'000, body) == events(10, body));
}

TEST_CASE("a loop that is executed again begins with its first iteration") {
  const Program program{loop(2, {loop(3, {issue(ns(100)), compute(ns(100))}), compute(us(1))})};
  CHECK(duration(device_of(1, 4), workload_of({kernel_of(1, 1, program)})) == ns(3'200));
}

TEST_CASE("a work-group that is placed at the end of another's iteration shares the engine from then on") {
  // b is placed exactly when a has done two iterations; both share the engine from then on.
  const auto ends = [](Duration after) {
    Workload workload = workload_of(
        {kernel_of(1, 1, {loop(100, {issue(ns(100)), compute(ns(100))})}), kernel_of(1, 1, {issue(us(10))})});
    workload.launches[1].at = at(after);
    const FullRun run = run_fully(device_of(1, 4), workload);
    return std::pair(end_of(run, 0, 0), end_of(run, 0, 1));
  };
  const auto early = ends(ns(399));
  const auto exact = ends(ns(400));
  CHECK(exact.second - early.second <= ns(2));
  CHECK(exact.first >= early.first - ns(2));
}

TEST_CASE("a run that ends amid the iterations of a loop reports what threads did until then") {
  // 8 threads on 2 engines, 4 on each: 1 ns of work takes 4 ns, and 500 ps of computing follow.
  const Kernel kernel = kernel_of(1, 8, {loop(2'000, {issue(ns(1)), compute(ps(500)), barrier()})});
  for (const std::int64_t end : {4'500'000, 4'502'000, 4'504'250}) {
    RunOptions options;
    options.bounds.time = at(ps(end));
    const RunRecord record = simulate(compiled(one_core(), workload_of({kernel})), options).record;
    CHECK(record.end == at(ps(end)));
    REQUIRE(record.time_use.size() == 1);
    CHECK(record.time_use[0].use.sum() == Int128{8} * end);
  }
}
