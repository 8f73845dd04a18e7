#include <gdsim/analysis/lanes.hpp>

#include <catch2/catch.hpp>

using namespace gdsim;

TEST_CASE("a thing gets the lowest lane that is free, and there are as many lanes as were ever taken at once") {
  Lanes lanes;
  CHECK(lanes.count() == 0);
  CHECK(lanes.take() == 0);
  CHECK(lanes.count() == 1);
  CHECK(lanes.take() == 1);
  CHECK(lanes.take() == 2);
  lanes.release(0);
  lanes.release(1);
  CHECK(lanes.count() == 3);
  CHECK(lanes.take() == 0);
  CHECK(lanes.take() == 1);
  CHECK(lanes.count() == 3);
  CHECK(lanes.take() == 3);
  CHECK(lanes.count() == 4);
  for (std::size_t lane = 4; lane < 200; ++lane) CHECK(lanes.take() == lane);
  CHECK(lanes.count() == 200);
}
