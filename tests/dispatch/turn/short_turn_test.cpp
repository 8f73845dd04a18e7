#include "dispatch/dispatched.hpp"
#include "support/random_dispatch.hpp"
#include "support/random_values.hpp"

#include <rapidcheck/catch.h>
#include <catch2/catch.hpp>

// A turn that ends early, because nothing has changed or the only waiting launch is refused again, decides and accounts
// for the same as a whole turn, and so do all turns after it. The same run is dispatched twice; only one of the two may
// take short turns.

using namespace gdsim;
using namespace gdsim::testing;

TEST_CASE("a short turn decides what a whole one would, and leaves behind what the next ones need") {
  std::uint64_t repeated_turns = 0;
  std::uint64_t refused_again = 0;
  const auto compare = [&] {
    const DeviceSpec device = any_device();
    const Workload workload = any_workload();
    Dispatched whole(device, workload);
    Dispatched shortened(device, workload);
    std::uint32_t arrived = 0;
    SimTime now;
    for (int step = 0; step < 60; ++step, now = now + ns(between(1, 9))) {
      for (int more = one_of({0, 0, 0, 0, 1, 2, 3}); more > 0 && arrived < workload.launches.size(); --more) {
        for (Dispatched* one : {&whole, &shortened}) one->dispatching().arrive(launch(arrived), now, now);
        ++arrived;
      }
      for (int ends = between(0, 3); ends > 0 && whole.running() > 0; --ends) {
        const std::size_t which = between<std::size_t>(0, whole.running() - 1);
        const std::uint32_t threads = between(1U, 3U);
        for (Dispatched* one : {&whole, &shortened}) one->end(which, threads, now);
      }
      whole.dispatching().state().note_launches_changed();
      RC_ASSERT(shortened.turn(now) == whole.turn(now));
    }
    RC_ASSERT(shortened.accounts(now) == whole.accounts(now));
    repeated_turns += shortened.repeated_turns();
    refused_again += shortened.turns_refused_again();
  };
  rc::prop("whatever ends between the turns, and whichever launches arrive", [&compare] {
    for (int i = 0; i < 20; ++i) compare();  // most differences would be rare
  });
  // Draws differ from run to run.
  CHECK(repeated_turns > 300);
  CHECK(refused_again > 100);
}
