#include "dispatch/dispatched.hpp"
#include "support/random_dispatch.hpp"
#include "support/random_runs.hpp"
#include "support/random_values.hpp"

#include <gdsim/dispatch/turn/whole_turn.hpp>
#include <gdsim/run/internal_run_options.hpp>

#include <rapidcheck/catch.h>
#include <catch2/catch.hpp>

#include <string>
#include <utility>

// The accounts explain decisions and do not affect them.

using namespace gdsim;
using namespace gdsim::testing;

namespace {

/// The state of dispatching without accounts.
class StateAlone {
 public:
  StateAlone(DeviceSpec device, Workload workload)
      : site_(std::move(device), std::move(workload)), state_(site_.input(site_.placement()), site_.bank) {}

  /// All launches arrive. Returns the number of work-groups that are placed.
  std::size_t place_all() {
    for (std::size_t i = 0; i < site_.workload.launches.size(); ++i) {
      state_.begun_launches.arrive(static_cast<LaunchId>(i), SimTime{});
      state_.chooser->arrive(static_cast<LaunchId>(i), SimTime{});
    }
    if (begin_turn(state_, SimTime{})) decide_turn(state_);
    return state_.decisions.grants.size();
  }

 private:
  DispatchSite site_;
  DispatchState state_;
};

/// When launches and threads began and ended.
std::string times_of(const RunResult& run) {
  std::string text = std::to_string(static_cast<int>(run.record.outcome)) + " " + std::to_string(run.record.end.count);
  for (const LaunchRecord& launch : run.record.launches)
    for (const OptionalTime time : {launch.begun, launch.first_dispatched, launch.fully_dispatched, launch.ended})
      text += " " + std::to_string(time.value_or(SimTime{-1}).count);
  for (const TimelinePoint& point : run.timeline)
    text += " " + std::to_string(point.time.count) + ":" + std::to_string(point.counts.resident.threads);
  return text;
}

RunResult run_with(KeepAccounts accounts, const Compiled& compiled) {
  InternalRunOptions options;
  options.accounts = accounts;
  options.keep_timeline = KeepTimeline::yes;
  return simulate(compiled, options);
}

}  // namespace

TEST_CASE("a dispatcher places the same where nobody keeps accounts") {
  rc::prop("whatever ends between the turns, and whichever launches arrive", [] {
    const DeviceSpec device = any_device();
    const Workload workload = any_workload();
    Dispatched explained(device, workload);
    Dispatched alone(device, workload, KeepAccounts::no);
    std::uint32_t arrived = 0;
    SimTime now;
    for (int step = 0; step < 60; ++step, now = now + ns(between(1, 9))) {
      for (int more = one_of({0, 0, 0, 0, 1, 2, 3}); more > 0 && arrived < workload.launches.size(); --more) {
        for (Dispatched* one : {&explained, &alone}) one->dispatching().arrive(launch(arrived), now, now);
        ++arrived;
      }
      for (int ends = between(0, 3); ends > 0 && explained.running() > 0; --ends) {
        const std::size_t which = between<std::size_t>(0, explained.running() - 1);
        const std::uint32_t threads = between(1U, 3U);
        for (Dispatched* one : {&explained, &alone}) one->end(which, threads, now);
      }
      RC_ASSERT(alone.place(now) == explained.place(now));
    }
    CHECK(alone.dispatching().accounts().waiting().empty());
  });
}

TEST_CASE("the state of dispatching takes turns without the class around it") {
  const DeviceSpec device = with(small_device(), [](DeviceSpec& d) { d.cores = 3; });
  const std::uint32_t threads = device.contexts_per_core();
  CHECK(StateAlone(device, workload_of({kernel_of(7, threads, {compute(us(1))})})).place_all() == 3);
}

TEST_CASE("a run takes as long where nobody keeps accounts, and its record explains nothing") {
  bool one_waited = false;
  rc::prop("for any run", [&] {
    const RandomRun drawn = draw_run();
    const Compiled compiled = gdsim::testing::compiled(drawn.device, drawn.workload);
    const RunResult explained = run_with(KeepAccounts::yes, compiled);
    const RunResult alone = run_with(KeepAccounts::no, compiled);
    INFO(describe(drawn));
    RC_ASSERT(times_of(alone) == times_of(explained));
    RC_ASSERT(alone.record.idle.begin() == alone.record.idle.end());
    for (const LaunchRecord& launch : alone.record.launches) RC_ASSERT(launch.waited[WaitReason::contexts].count == 0);
    for (const LaunchRecord& launch : explained.record.launches)
      one_waited = one_waited || launch.waited[WaitReason::contexts].count > 0;
  });
  CHECK(one_waited);
}
