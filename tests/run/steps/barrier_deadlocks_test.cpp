#include "run/sharing.hpp"

#include <catch2/catch.hpp>

using namespace gdsim;
using namespace gdsim::testing;

// Barriers that some threads never reach: which threads wait, for which others, and where.

TEST_CASE("in a knot of barriers none of which leads back to the first, each is looked at once") {
  // Threads 1 to 30 wait at a barrier of their own and would arrive at all others; thread 1 would then arrive at b0,
  // where thread 0 waits. There are 30! paths.
  constexpr std::uint32_t count = 30;
  const auto name = [](std::uint32_t number) { return "b" + std::to_string(number); };
  Program program{compute(ns(1)), Only{{{0, 0}}, {Barrier{name(0)}}}};
  for (std::uint32_t thread = 1; thread <= count; ++thread) {
    Program body{Barrier{name(thread)}};
    for (std::uint32_t other = 1; other <= count; ++other)
      if (other != thread) body.push_back(Barrier{name(other)});
    if (thread == 1) body.push_back(Barrier{name(0)});
    program.push_back(Only{{{thread, thread}}, body});
  }
  const FullRun run = run_fully(device_of(1, 64), workload_of({kernel_of(1, count + 1, program)}));
  CHECK(run.record.outcome == Outcome::deadlock);
  CHECK(run.record.deadlock.cycle.size() == 2);  // those of two of the 30
}

TEST_CASE("a barrier that some threads never reach stalls, and the record says which and where") {
  Step barrier_step = barrier();
  barrier_step.line = 12;
  const Program program{compute(ns(1)), Only{{{0, 2}}, {barrier_step}}};
  const FullRun run = run_fully(device_of(1, 8), workload_of({kernel_of(1, 4, program)}));
  CHECK(run.record.outcome == Outcome::deadlock);
  REQUIRE(run.record.deadlock.groups.size() == 1);
  const DeadlockedGroup& stalled = run.record.deadlock.groups[0];
  CHECK(stalled.waiting == 3);
  CHECK(stalled.ended == 1);
  CHECK(stalled.line == 12);
  CHECK(stalled.step == 2);
  CHECK(stalled.expected == 4);
}

TEST_CASE("a wait without a signal stalls, and so do two that wait for each other: the cycle is named") {
  const FullRun lonely = run_fully(device_of(1, 8), workload_of({kernel_of(1, 2, {compute(ns(1)), Wait{"x"}})}));
  CHECK(lonely.record.outcome == Outcome::deadlock);
  CHECK(lonely.record.deadlock.groups.at(0).expected == 0);
  CHECK(lonely.record.deadlock.cycle.empty());
  const Program crossed{compute(ns(1)), Only{{{0, 0}}, {Wait{"b"}, Signal{"a"}}},
                        Only{{{1, 1}}, {Wait{"a"}, Signal{"b"}}}};
  const FullRun run = run_fully(device_of(1, 8), workload_of({kernel_of(1, 2, crossed)}));
  CHECK(run.record.outcome == Outcome::deadlock);
  CHECK(run.record.deadlock.cycle.size() == 2);
}

TEST_CASE("a thread in a loop would still arrive at a barrier of its body, but for the last iteration") {
  // Thread 0 signals a and waits for b, `count` times; thread 1 waits for two of a where b was signalled `done` times.
  for (std::uint64_t count = 1; count <= 4; ++count)
    for (std::uint64_t done = 0; done < count; ++done) {
      Program other;
      for (std::uint64_t i = 0; i < done; ++i) {
        other.push_back(Wait{"a"});
        other.push_back(Signal{"b"});
      }
      other.insert(other.end(), {Wait{"a"}, Wait{"a"}, Signal{"b"}});
      const Program body{Signal{"a"}, compute(ns(1)), Wait{"b"}};
      const auto deadlock_of = [&](Program first) {
        const Program program{compute(ns(1)), Only{{{0, 0}}, std::move(first)}, Only{{{1, 1}}, other}};
        const FullRun run = run_fully(device_of(1, 8), workload_of({kernel_of(1, 2, program)}));
        CHECK(run.record.outcome == Outcome::deadlock);
        return run.record.deadlock;
      };
      const auto check = [&](const Deadlock& deadlock, bool would_arrive) {
        INFO("iteration " << done << " of " << count);
        REQUIRE(deadlock.groups.size() == 2);
        for (const DeadlockedGroup& one : deadlock.groups) {
          const bool is_a = one.name == "a";
          CHECK(one.waiting == 1);
          CHECK(one.awaited == (is_a ? done + 2 : done + 1));
          CHECK(one.happened == (is_a ? done + 1 : done));
          CHECK(one.held_by == (is_a ? would_arrive ? std::vector<std::string>{"b"} : std::vector<std::string>{}
                                     : std::vector<std::string>{"a"}));
        }
        CHECK(deadlock.cycle.size() == (would_arrive ? 2 : 0));
      };
      check(deadlock_of({loop(count, body)}), done + 1 < count);
      check(deadlock_of({loop(2, {loop(count, body)})}), true);  // if not in this loop, in the one around it
      check(deadlock_of({loop(count, body), Signal{"a"}}), true);
    }
}

TEST_CASE("a cycle that closes through another iteration of a loop is named") {
  const Program crossed{Only{{{0, 0}}, {loop(2, {compute(ns(1)), Signal{"a"}, Wait{"b"}})}},
                        Only{{{1, 1}}, {loop(2, {Wait{"a"}, Wait{"a"}, compute(ns(1)), Signal{"b"}})}}};
  const FullRun run = run_fully(device_of(1, 8), workload_of({kernel_of(1, 2, crossed)}));
  CHECK(run.record.outcome == Outcome::deadlock);
  CHECK(run.record.deadlock.cycle.size() == 2);
}
