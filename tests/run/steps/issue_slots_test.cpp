#include "run/sharing.hpp"

#include <catch2/catch.hpp>

using namespace gdsim;
using namespace gdsim::testing;

// Threads that share issue slots, against closed forms.

TEST_CASE("k threads on one engine end at k times their work, exactly") {
  for (const std::uint64_t k : {1, 2, 3, 7, 13}) {
    const FullRun run = run_fully(device_of(1, 16), workload_of({kernel_of(1, k, {issue(ps(1'000'003))})}));
    CHECK(run.record.duration() == ps(static_cast<std::int64_t>(k) * 1'000'003));
    CHECK(spent(run, Activity::executing) == Int128{k} * 1'000'003);
    CHECK(spent(run, Activity::issue) == Int128{k} * Int128{k - 1} * 1'000'003);
  }
}

TEST_CASE("threads that arrive at different times share by the processor-sharing formula") {
  // Work 10 from 0, work 10 from 4: 6 left of the first and 10 of the second share from 4; the first ends at 4 + 2 x 6,
  // the second with the last 4 alone at 16 + 4.
  Workload workload = workload_of({kernel_of(1, 1, {issue(ps(10))}), kernel_of(1, 1, {compute(ps(4)), issue(ps(10))})});
  workload.launches[1].after = {};
  const FullRun run = run_fully(device_of(1, 4), workload);
  CHECK(end_of(run, 0, 0) == at(ps(16)));
  CHECK(end_of(run, 0, 1) == at(ps(20)));
}

TEST_CASE("threads on different engines do not share issue slots, on fused engines they do from the third on") {
  const Workload two = workload_of({kernel_of(1, 2, {issue(ns(10))})});
  const Workload three = workload_of({kernel_of(1, 3, {issue(ns(10))})});
  CHECK(duration(device_of(1, 4, 2), two) == ns(10));
  CHECK(duration(device_of(1, 4, 2), three) == ns(20));
  const DeviceSpec fused = with(device_of(1, 4, 2), [](DeviceSpec& d) { d.fused_engines = 2; });
  CHECK(duration(fused, two) == ns(10));
  CHECK(duration(fused, three) == ns(15));
}

TEST_CASE("threads that part sit on the engines on which they were placed, in turn") {
  // 0 and 2 share an engine: 0 is slowed by the 1 ns of 2, then has 1 ns of its own.
  const Program program{Only{{{0, 1}}, {issue(ns(1000))}}, issue(ns(1))};
  CHECK(duration(device_of(1, 4, 2), workload_of({kernel_of(1, 3, program)})) == ns(1'002));
}
