#include "support/builders.hpp"

#include <gdsim/run/drive.hpp>

#include <catch2/catch.hpp>

#include <stop_token>

using namespace gdsim;
using namespace gdsim::testing;

namespace {

/// Has two events at each of its instants, and goes no further than the bound.
struct ShortRun {
  bool advance() {
    if (instants.empty()) return false;
    time = instants.front();
    instants.erase(instants.begin());
    handled += 2;
    if (stop_at == time) source.request_stop();
    return true;
  }
  bool is_done() const { return time >= done_at; }
  SimTime now() const { return time; }
  std::uint64_t events() const { return handled; }

  std::vector<SimTime> instants{at(ps(10)), at(ps(20)), at(ps(30))};
  SimTime done_at = at(ps(1'000));
  SimTime stop_at = at(ps(1'000));
  std::stop_source source{};
  SimTime time{};
  std::uint64_t handled = 0;
};

}  // namespace

TEST_CASE("a run ends where nothing is pending") {
  ShortRun run;
  CHECK(run_to_end(run, {}, {}) == RunEnd::nothing_pending);
  CHECK(run.time == at(ps(30)));
}

TEST_CASE("a run ends at the first instant at which its launches have ended, whatever is pending") {
  ShortRun run;
  run.done_at = at(ps(20));
  CHECK(run_to_end(run, {}, {}) == RunEnd::nothing_pending);
  CHECK(run.time == at(ps(20)));
}

TEST_CASE("a run ends at the bound of time, and at the first instant that reaches the bound of events") {
  RunBounds bounds;
  bounds.time = at(ps(20));
  ShortRun by_time;
  CHECK(run_to_end(by_time, bounds, {}) == RunEnd::bound_reached);
  CHECK(by_time.time == at(ps(20)));
  bounds = {};
  bounds.events = 3;
  ShortRun by_events;
  CHECK(run_to_end(by_events, bounds, {}) == RunEnd::bound_reached);
  CHECK(by_events.time == at(ps(20)));
}

TEST_CASE("a request to stop comes before a bound, and the end of all launches before both") {
  RunBounds bounds;
  bounds.time = at(ps(20));
  ShortRun stopped;
  stopped.stop_at = at(ps(20));
  CHECK(run_to_end(stopped, bounds, stopped.source.get_token()) == RunEnd::stop_requested);
  ShortRun done;
  done.stop_at = done.done_at = at(ps(20));
  CHECK(run_to_end(done, bounds, done.source.get_token()) == RunEnd::nothing_pending);
}
