#include "support/random_values.hpp"

#include <gdsim/run/meetings.hpp>

#include <rapidcheck/catch.h>
#include <catch2/catch.hpp>

#include <algorithm>

using namespace gdsim;
using namespace gdsim::testing;

TEST_CASE("a phase is complete when all have come to it, however far some are ahead") {
  rc::prop("as a count of every thread says", [] {
    const auto parties = between<std::size_t>(1, 4);
    std::vector<std::uint64_t> threads;
    std::vector<std::uint64_t> comings(parties, 0);
    Meeting meeting;
    for (std::size_t i = 0; i < parties; ++i) {
      threads.push_back(between<std::uint64_t>(1, 3));
      meeting.participants += threads.back();
    }
    for (int i = between(0, 60); i > 0; --i) {
      const auto party = between<std::size_t>(0, parties - 1);
      const std::uint64_t before = meeting.complete;
      const std::uint64_t done = meeting.arrive(++comings[party], threads[party]);
      RC_ASSERT(meeting.complete == before + done);
      RC_ASSERT(meeting.complete == *std::min_element(comings.begin(), comings.end()));
      RC_ASSERT(meeting.arrived.size() <= parties);
      Meeting::Comings by_number;
      for (std::size_t p = 0; p < parties; ++p) by_number[comings[p]] += threads[p];
      RC_ASSERT(meeting.comings() == by_number);
      Meeting again = meeting;
      again.set_comings(by_number);
      RC_ASSERT(again.complete == meeting.complete);
      RC_ASSERT(again.comings() == by_number);
    }
  });
}

TEST_CASE("who is a million phases ahead is one entry, and those who follow cost no more") {
  Meeting meeting;
  meeting.participants = 2;
  for (std::uint64_t phase = 1; phase <= 1'000'000; ++phase) REQUIRE(meeting.arrive(phase, 1) == 0);
  CHECK(meeting.arrived.size() == 1);
  for (std::uint64_t phase = 1; phase <= 1'000'000; ++phase) REQUIRE(meeting.arrive(phase, 1) == 1);
  CHECK(meeting.arrived.empty());
}
