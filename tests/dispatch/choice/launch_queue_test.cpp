#include "support/builders.hpp"
#include <gdsim/dispatch/choice/choosers.hpp>

#include <catch2/catch.hpp>

using namespace gdsim;
using namespace gdsim::testing;

TEST_CASE("ready launches queue by ready time, then by their order in the file") {
  LaunchQueue queue;
  queue.arrive(launch(3), at(us(5)));
  queue.arrive(launch(1), at(us(5)));
  queue.arrive(launch(2), at(us(4)));
  CHECK(queue.head() == launch(2));
  queue.pop();
  CHECK(queue.head() == launch(1));
  queue.pop();
  CHECK(queue.head() == launch(3));
  queue.pop();
  CHECK(queue.empty());
}

TEST_CASE("no launch goes before a head that has begun") {
  LaunchQueue queue;
  queue.arrive(launch(3), at(us(5)));
  queue.begin_head();
  queue.arrive(launch(1), at(us(5)));
  CHECK(queue.head() == launch(3));
  queue.pop();
  CHECK(queue.head() == launch(1));
}
