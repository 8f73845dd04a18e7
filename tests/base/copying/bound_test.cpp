#include <gdsim/base/copying/bound.hpp>

#include <catch2/catch.hpp>

using gdsim::Bound;

TEST_CASE("assigning a part of a state leaves the neighbour to which it is bound, and takes the rest") {
  struct Part {
    Bound<int> neighbour;
    int value = 0;
  };
  int here = 1;
  int there = 2;
  Part part{Bound<int>(here), 10};
  part = Part{Bound<int>(there), 20};
  CHECK(&*part.neighbour == &here);
  CHECK(part.value == 20);
}

TEST_CASE("what is bound to nothing says so, until it is bound") {
  Bound<int> bound;
  CHECK_FALSE(bound);
  int target = 3;
  bound.bind(&target);
  CHECK(bound);
  CHECK(*bound == 3);
  bound.bind(nullptr);
  CHECK_FALSE(bound);
}
