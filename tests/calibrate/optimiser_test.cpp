#include <gdsim/calibrate/time_model.hpp>

#include <catch2/catch.hpp>

#include <cmath>
#include <stdexcept>

// The door to NLopt: it finds minima, counts evaluations, and lets exceptions through.

using namespace gdsim;

TEST_CASE("both searches find a minimum within the cube, the same each time") {
  std::size_t count = 0;
  const Objective objective = [&](const Place& place) {
    ++count;
    return std::abs(place[0] - 0.3) + 2 * std::abs(place[1] - 0.8);
  };
  const Place everywhere = search_everywhere(objective, 2, 300);
  CHECK(count <= 310);
  CHECK(objective(everywhere) < 0.05);
  const Place nearby = search_nearby(objective, everywhere, 300);
  CHECK(objective(nearby) < 0.001);
  CHECK(search_nearby(objective, everywhere, 300) == nearby);
  CHECK(search_everywhere(objective, 2, 300) == everywhere);
}

TEST_CASE("what the objective throws ends the search and reaches the caller") {
  const Objective objective = [](const Place&) -> double { throw std::runtime_error("no more"); };
  CHECK_THROWS_WITH(search_everywhere(objective, 1, 10), "no more");
  CHECK_THROWS_WITH(search_nearby(objective, {0.5}, 10), "no more");
}
