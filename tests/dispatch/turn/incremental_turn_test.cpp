#include "dispatch/dispatched.hpp"
#include "support/random_dispatch.hpp"
#include "support/random_values.hpp"

#include <rapidcheck/catch.h>
#include <catch2/catch.hpp>

// An incremental turn decides and accounts for the same as a whole turn, and so do all turns after it. The same run is
// dispatched twice; only one of the two may take incremental turns.

using namespace gdsim;
using namespace gdsim::testing;

TEST_CASE("an incremental turn decides what a whole one would, and leaves behind what the next ones need") {
  std::uint64_t incremental_turns = 0;
  std::uint64_t that_placed = 0;
  const auto compare = [&] {
    const DeviceSpec device = any_device();
    const Workload workload = any_workload();
    Dispatched whole(device, workload);
    Dispatched incremental(device, workload);
    std::uint32_t arrived = 0;
    SimTime now;
    for (int step = 0; step < 60; ++step, now = now + ns(between(1, 9))) {
      for (int more = one_of({0, 0, 0, 0, 1, 2, 3}); more > 0 && arrived < workload.launches.size(); --more) {
        for (Dispatched* one : {&whole, &incremental}) one->dispatching().arrive(launch(arrived), now, now);
        ++arrived;
      }
      for (int ends = between(0, 3); ends > 0 && whole.running() > 0; --ends) {
        const std::size_t which = between<std::size_t>(0, whole.running() - 1);
        const std::uint32_t threads = between(1U, 3U);
        for (Dispatched* one : {&whole, &incremental}) one->end(which, threads, now);
      }
      whole.dispatching().state().launch_waiting_for_core.reset();
      RC_ASSERT(incremental.turn(now) == whole.turn(now));
    }
    RC_ASSERT(incremental.accounts(now) == whole.accounts(now));
    incremental_turns += incremental.incremental_turns();
    that_placed += incremental.incremental_turns_that_placed();
  };
  rc::prop("whatever ends between the turns, and whichever launches arrive", [&compare] {
    for (int i = 0; i < 20; ++i) compare();  // most differences would be rare
  });
  // Draws differ from run to run: about 1,500 incremental turns, of which 1,100 place something.
  CHECK(incremental_turns > 300);
  CHECK(that_placed > 300);
}
