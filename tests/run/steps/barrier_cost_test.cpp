#include "support/builders.hpp"

#include <catch2/catch.hpp>

// The cost of a barrier for the threads that wait at it.

using namespace gdsim;
using namespace gdsim::testing;

namespace {

Step first_does(Program body) { return Only{{{0, 0}}, std::move(body)}; }
Step second_does(Program body) { return Only{{{1, 1}}, std::move(body)}; }

/// When a work-group of two threads ends, on a device whose barriers cost 3 ps.
SimTime end_of(Program program) {
  const DeviceSpec device = with(one_core(), [](DeviceSpec& d) {
    d.barrier_cost.base = picoseconds(1);
    d.barrier_cost.per_thread = picoseconds(1);
  });
  return run_fully(device, workload_of({kernel_of(1, 2, std::move(program))})).record.end;
}

}  // namespace

TEST_CASE("a barrier step ends after the barrier's cost, also if the last to arrive signals") {
  CHECK(end_of({first_does({compute(ps(10))}), Barrier{"b"}}) == at(ps(13)));
  CHECK(end_of({first_does({compute(ps(10)), Signal{"b"}}), second_does({Barrier{"b"}})}) == at(ps(13)));
}

TEST_CASE("a wait does not take the barrier's cost, also if the last arrives at a barrier step") {
  CHECK(end_of({first_does({compute(ps(10)), Signal{"b"}}), second_does({Wait{"b"}, compute(ps(10))})}) == at(ps(20)));
  CHECK(end_of({first_does({compute(ps(10)), Barrier{"b"}}), second_does({Wait{"b"}, compute(ps(10))})}) == at(ps(20)));
}

TEST_CASE("waits and barrier steps of one phase end each at its time, phase after phase") {
  // The first arrives at 10 and 23; the second has waited twice by then.
  const Program program{first_does({compute(ps(10)), Barrier{"b"}, compute(ps(10)), Barrier{"b"}}),
                        second_does({Wait{"b"}, compute(ps(1)), Wait{"b"}, compute(ps(10))})};
  CHECK(end_of(program) == at(ps(33)));
}

TEST_CASE("a phase that would open only behind the end of its work-group opens nothing for the next in its place") {
  // The threads of a work-group synchronize at 1 and 4, and signal once more before they end: that phase would open at
  // 7.
  const DeviceSpec device = with(one_core(), [](DeviceSpec& d) {
    d.work_groups_per_core = 1;
    d.barrier_cost.base = picoseconds(3);
  });
  const Program program{compute(ps(1)), Barrier{"b"}, Signal{"b"}};
  CHECK(run_fully(device, workload_of({kernel_of(4, 2, program)})).record.end == at(ps(16)));
}
