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
  const std::vector<Program> bodies{{compute(ns(3))}, {memory(1)}, {issue(ns(1))}, {compute(ns(3)), barrier()}};
  for (const Program& body : bodies) CHECK(events(1'000'000, body) == events(10, body));
}

TEST_CASE("a million recurring iterations cost a few iterations more than ten") {
  const std::vector<Program> bodies{{memory(1), compute(ns(6)), barrier()},
                                    {issue(ns(1)), compute(ns(6))},
                                    {issue(ns(1)), Slm{}, compute(ns(2)), barrier(), memory(64)},
                                    {loop(7, {issue(ns(1)), Barrier{"pair"}}), Signal{"done"}, Wait{"done"}},
                                    {loop(1'000, {issue(ns(3)), compute(ns(1))}), memory(1)},
                                    {Only{{{0, 0}}, {compute(ns(5))}}, issue(ns(2)), barrier()}};
  for (const std::uint64_t groups : {1, 3, 8}) {
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      CAPTURE(groups, i);
      const DeviceSpec device = with(device_of(2, 4, 2), [](DeviceSpec& d) {
        d.slm_access = SlmAccess{16, Bytes{4}, {}};
      });
      const std::uint64_t count = i == 4 ? 1'000 : 1'000'000;
      const Workload workload = workload_of({kernel_of(groups, 4, {loop(count, bodies[i]), compute(ns(1))})});
      const RunResult result = simulate(device, device.dispatch, workload);
      CHECK(result.record.outcome == Outcome::completed);
      CHECK(result.events < groups * 1'000'000 / 4);
    }
  }
}

TEST_CASE("iterations of a work-group whose threads draw factors recur once no other is resident") {
  const auto kernel = [](std::uint64_t iterations) {
    return with(kernel_of(1, 4, {loop(iterations, {memory(64), barrier(), issue(ns(20)), barrier()})}), [](Kernel& k) {
      k.variation.draw = Draw{Distribution::uniform, Decimal{1, -1}, DrawPer::thread, 1};
    });
  };
  const auto events = [](const Workload& workload) {
    const DeviceSpec device = device_of(2, 4, 2);
    const RunResult result = simulate(device, device.dispatch, workload);
    CHECK(result.record.outcome == Outcome::completed);
    return result.events;
  };
  CHECK(events(workload_of({kernel(1'000'000)})) < 1'000);
  CHECK(events(workload_of({kernel(100), kernel(1'000'000)})) < 10'000);
}

TEST_CASE("an iteration is like the one before only within the same execution of its loop") {
  const Program program{loop(2, {loop(3, {issue(ns(100)), compute(ns(100))}), compute(us(1))})};
  CHECK(duration(device_of(1, 4), workload_of({kernel_of(1, 1, program)})) == ns(3'200));
}

TEST_CASE("iterations are not fast-forwarded if something else happens at their instant") {
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
