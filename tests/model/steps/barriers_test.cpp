#include "support/random_values.hpp"

#include <gdsim/model/steps/barriers.hpp>

#include <rapidcheck/catch.h>
#include <catch2/catch.hpp>

#include <algorithm>

using namespace gdsim;
using namespace gdsim::testing;

TEST_CASE("a phase of a barrier is complete when all have arrived, however far some are ahead") {
  rc::prop("as a count of every thread says", [] {
    const auto parties = between<std::size_t>(1, 4);
    std::vector<std::uint64_t> threads;
    std::vector<std::uint64_t> arrivals(parties, 0);
    BarrierState barrier;
    for (std::size_t i = 0; i < parties; ++i) {
      threads.push_back(between<std::uint64_t>(1, 3));
      barrier.participants += threads.back();
    }
    for (int i = between(0, 60); i > 0; --i) {
      const auto party = between<std::size_t>(0, parties - 1);
      const std::uint64_t before = barrier.complete;
      const std::uint64_t done = barrier.arrive(++arrivals[party], threads[party]);
      RC_ASSERT(barrier.complete == before + done);
      RC_ASSERT(barrier.complete == *std::min_element(arrivals.begin(), arrivals.end()));
      RC_ASSERT(barrier.arrived.size() <= parties);
    }
  });
}

TEST_CASE("a thread that is a million phases ahead is one entry, and those that follow cost no more") {
  BarrierState barrier;
  barrier.participants = 2;
  for (std::uint64_t phase = 1; phase <= 1'000'000; ++phase) REQUIRE(barrier.arrive(phase, 1) == 0);
  CHECK(barrier.arrived.size() == 1);
  for (std::uint64_t phase = 1; phase <= 1'000'000; ++phase) REQUIRE(barrier.arrive(phase, 1) == 1);
  CHECK(barrier.arrived.empty());
}
