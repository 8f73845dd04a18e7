#include <gdsim/base/lazy_vector.hpp>

#include <catch2/catch.hpp>

#include <utility>

using namespace gdsim;

TEST_CASE("a lazy vector is a vector that takes the space of a pointer while it is empty") {
  LazyVector<int> values;
  CHECK(sizeof values == sizeof(void*));
  CHECK(values.empty());
  CHECK(values.begin() == values.end());
  values.push_back(4);
  values.push_back(5);
  const LazyVector<int> copy = values;
  values.clear();
  CHECK(values.empty());
  CHECK(copy == LazyVector<int>{4, 5});
  CHECK(copy[1] == 5);
  CHECK_FALSE(copy == values);
}
