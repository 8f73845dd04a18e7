#include "support/random_values.hpp"

#include <gdsim/base/check.hpp>
#include <gdsim/base/diagnostic.hpp>
#include <gdsim/event/event_queue.hpp>

#include <rapidcheck/catch.h>
#include <catch2/catch.hpp>

#include <algorithm>
#include <initializer_list>
#include <tuple>
#include <utility>
#include <vector>

using namespace gdsim;
using namespace gdsim::testing;

namespace {

struct Note {
  std::uint32_t number;
  std::uint8_t rank_;
  std::size_t rank() const { return rank_; }
  friend bool operator==(const Note&, const Note&) = default;
};
using NoteQueue = EventQueue<Note, 3>;

/// Numbers in the order in which they are returned.
struct Listener {
  std::vector<std::uint32_t> heard;
  std::vector<std::int64_t> instants;
  void on(const NoteQueue::Batch& batch) {
    for (const Note& note : batch.events) heard.push_back(note.number);
  }
  bool instant_over(SimTime now) {
    instants.push_back(now.count);
    return true;
  }
};

/// One of these, or any small one, so that many lie close together.
std::int64_t any_distance(std::int64_t min, std::initializer_list<std::int64_t> far_ones) {
  return between(0, 1) == 0 ? one_of(far_ones) : between<std::int64_t>(min, 40);
}

/// Handles all that is pending, rank by rank.
template <class Listening>
void run_events(NoteQueue& queue, Listening& listening) {
  while (!queue.instant_is_over() || queue.next_instant()) {
    while (!queue.instant_is_over()) listening.on(queue.pop_rank());
    listening.instant_over(queue.now());
  }
}

}  // namespace

TEST_CASE("events come by time, then rank, then in the order in which they were scheduled") {
  NoteQueue queue;
  Listener listener;
  queue.schedule({5}, {1, 2});
  queue.schedule({5}, {2, 0});
  queue.schedule({3}, {3, 1});
  queue.schedule({5}, {4, 2});
  queue.schedule({0}, {5, 1});
  queue.schedule({5}, {6, 0});
  run_events(queue, listener);
  CHECK(listener.heard == std::vector<std::uint32_t>{5, 3, 2, 6, 1, 4});
  CHECK(listener.instants == std::vector<std::int64_t>{0, 3, 5});
}

TEST_CASE("all events of one rank at one instant come as one span") {
  NoteQueue queue;
  for (std::uint32_t i = 0; i < 1000; ++i) queue.schedule({7}, {i, 1});
  REQUIRE(queue.next_instant());
  const auto batch = queue.pop_rank();
  CHECK(batch.rank == 1);
  CHECK(batch.events.size() == 1000);
  CHECK(queue.instant_is_over());
}

TEST_CASE("what a batch causes at its own instant comes before higher ranks, and lower ranks first") {
  struct Chain {
    NoteQueue& queue;
    std::vector<std::uint32_t> heard;
    void on(const NoteQueue::Batch& batch) {
      for (const Note& note : batch.events) heard.push_back(note.number);
      if (batch.events.front().number == 1) {
        queue.schedule(queue.now(), {2, 1});
        queue.schedule_now({3, 0});
      }
    }
    bool instant_over(SimTime) { return true; }
  };
  NoteQueue queue;
  queue.schedule({9}, {1, 1});
  queue.schedule({9}, {4, 2});
  Chain chain{queue, {}};
  run_events(queue, chain);
  CHECK(chain.heard == std::vector<std::uint32_t>{1, 3, 2, 4});
}

TEST_CASE("the past cannot be changed") {
  NoteQueue queue;
  queue.schedule({10}, {1, 0});
  REQUIRE(queue.next_instant());
  CHECK_THROWS_AS(queue.schedule({9}, {2, 0}), DefectError);
  CHECK_NOTHROW(queue.schedule({10}, {3, 0}));
}

TEST_CASE("only what is scheduled for later can be cancelled") {
  NoteQueue queue;
  queue.schedule({10}, {1, 0});
  queue.schedule({20}, {2, 1});
  CHECK_THROWS_AS(queue.cancel({10}, {2, 1}), DefectError);
  CHECK_THROWS_AS(queue.cancel({20}, {2, 2}), DefectError);
  REQUIRE(queue.next_instant());
  CHECK_THROWS_AS(queue.cancel({10}, {1, 0}), DefectError);
  CHECK_NOTHROW(queue.cancel({20}, {2, 1}));
  CHECK_FALSE(queue.next_time().has_value());
}

TEST_CASE("time cannot move on while events of this instant are pending") {
  NoteQueue queue;
  queue.schedule({1}, {1, 0});
  queue.schedule({2}, {2, 0});
  REQUIRE(queue.next_instant());
  CHECK_THROWS_AS(queue.next_instant(), DefectError);
}

TEST_CASE("time can stop before the next event, for others that are scheduled then") {
  NoteQueue queue;
  queue.schedule({1'000}, {1, 0});
  queue.move_to({999});
  queue.schedule({999}, {2, 0});
  CHECK(queue.pop_rank().events.front().number == 2);
  REQUIRE(queue.next_instant());
  CHECK(queue.now() == SimTime{1'000});
  CHECK_THROWS_AS(queue.move_to({1'001}), DefectError);
}

TEST_CASE("any mixture of pending events comes out sorted and stable") {
  rc::prop("like a stable sort", [] {
    // Each handled event schedules another, so that the queue is used at every distance from now.
    struct Planned {
      std::int64_t time;
      std::uint8_t rank;
      std::uint32_t number;
    };
    std::vector<Planned> planned;
    NoteQueue queue;
    const auto plan = [&](std::int64_t earliest) {
      const auto distance = any_distance(0, {0, 1, 1, 2, 63, 64, 1000, 1'000'000, 1'000'000'007});
      const Planned item{earliest + distance, *rc::gen::inRange<std::uint8_t>(0, 3),
                         static_cast<std::uint32_t>(planned.size())};
      planned.push_back(item);
      queue.schedule({item.time}, {item.number, item.rank});
    };
    const int first = *rc::gen::inRange(1, 20);
    for (int i = 0; i < first; ++i) plan(0);
    std::vector<std::uint32_t> heard;
    // Now and then time stops between two events.
    const auto move_on = [&] {
      const auto next = queue.next_time();
      const auto max = next ? next->count - queue.now().count : 0;
      if (max < 2 || !*rc::gen::arbitrary<bool>()) return queue.next_instant();
      queue.move_to(queue.now() + Duration{*rc::gen::inRange<std::int64_t>(1, max)});
      return true;
    };
    while (!queue.instant_is_over() || move_on())
      while (!queue.instant_is_over()) {
        const auto batch = queue.pop_rank();
        for (const Note& note : batch.events) heard.push_back(note.number);
        // Only later than now: within an instant, the order is the caller's affair and tested above.
        if (planned.size() < 60) plan(queue.now().count + 1);
      }
    std::stable_sort(planned.begin(), planned.end(), [](const Planned& a, const Planned& b) {
      return std::tie(a.time, a.rank) < std::tie(b.time, b.rank);
    });
    std::vector<std::uint32_t> expected;
    for (const Planned& item : planned) expected.push_back(item.number);
    RC_ASSERT(heard == expected);
  });
}

TEST_CASE("events that are cancelled leave the others in their order") {
  rc::prop("like a list", [] {
    struct Planned {
      std::int64_t time;
      Note note;
    };
    std::vector<Planned> planned;  // as scheduled
    NoteQueue queue;
    std::uint32_t number = 0;
    const auto in_order = [&] {
      std::vector<Planned> sorted = planned;
      std::stable_sort(sorted.begin(), sorted.end(), [](const Planned& a, const Planned& b) {
        return std::pair(a.time, a.note.rank()) < std::pair(b.time, b.note.rank());
      });
      return sorted;
    };
    for (int i = *rc::gen::inRange(1, 80); i > 0; --i) {
      const int choice = *rc::gen::inRange(0, 12);
      if (choice < 7) {
        const auto distance = any_distance(1, {1, 1, 2, 5, 5, 64, 1000, 1'000'000});
        planned.push_back({queue.now().count + distance, {number++, *rc::gen::inRange<std::uint8_t>(0, 3)}});
        queue.schedule({planned.back().time}, planned.back().note);
      } else if (choice > 9) {
        if (planned.empty()) continue;
        const auto which = planned.begin() + *rc::gen::inRange<std::ptrdiff_t>(0, std::ssize(planned));
        queue.cancel({which->time}, which->note);
        planned.erase(which);
      } else if (!planned.empty()) {
        RC_ASSERT(queue.next_instant());
        std::vector<std::uint32_t> heard;
        while (!queue.instant_is_over())
          for (const Note& note : queue.pop_rank().events) heard.push_back(note.number);
        std::vector<std::uint32_t> expected;
        for (const Planned& item : in_order())
          if (item.time == queue.now().count) expected.push_back(item.note.number);
        RC_ASSERT(heard == expected);
        RC_ASSERT(in_order().front().time == queue.now().count);
        std::erase_if(planned, [&](const Planned& item) { return item.time == queue.now().count; });
      }
      RC_ASSERT(queue.empty() == planned.empty());
      if (!planned.empty()) RC_ASSERT(queue.next_time() == SimTime{in_order().front().time});
    }
  });
}
