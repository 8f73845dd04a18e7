#include <gdsim/base/copying/with_place.hpp>

#include <catch2/catch.hpp>

#include <set>

using gdsim::WithPlace;

TEST_CASE("a copy of a container with a place has the same place in its own values") {
  WithPlace<std::set<int>> one;
  one.values = {1, 2, 3};
  one.at = one.values.find(2);
  WithPlace<std::set<int>> copy = one;
  CHECK(*copy.at == 2);
  copy.at = copy.values.erase(copy.at);
  CHECK(*copy.at == 3);
  CHECK(*one.at == 2);
  one.at = one.values.end();
  copy = one;
  CHECK(copy.at == copy.values.end());
  CHECK(copy.values == std::set<int>{1, 2, 3});
}
