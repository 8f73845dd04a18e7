#include <gdsim/base/in_order.hpp>

#include <catch2/catch.hpp>

#include <atomic>
#include <stdexcept>
#include <string>
#include <vector>

using namespace gdsim;

TEST_CASE("tasks are handed over in order with any number of jobs") {
  for (const std::size_t jobs : {1, 2, 8}) {
    std::vector<std::size_t> made(100, 0);
    std::vector<std::size_t> taken;
    parallel_for_in_order(
        100, {jobs}, [&](std::size_t i) { made[i] = i * i; },
        [&](std::size_t i) {
          taken.push_back(made[i]);
          return Proceed::yes;
        });
    REQUIRE(taken.size() == 100);
    for (std::size_t i = 0; i < 100; ++i) CHECK(taken[i] == i * i);
  }
}

TEST_CASE("after a request to end nothing more is handed over, and no task begins far ahead") {
  for (const std::size_t jobs : {1, 2, 8}) {
    std::atomic<std::size_t> begun = 0;
    std::size_t taken = 0;
    parallel_for_in_order(
        1'000, {jobs}, [&](std::size_t) { ++begun; },
        [&](std::size_t i) {
          ++taken;
          return i == 4 ? Proceed::no : Proceed::yes;
        });
    CHECK(taken == 5);
    CHECK(begun <= 5 + 2 * jobs);
  }
}

TEST_CASE("what a task throws is thrown at its turn") {
  for (const std::size_t jobs : {1, 2, 8}) {
    std::size_t taken = 0;
    const auto fail = [](std::size_t i) {
      if (i >= 3) throw std::runtime_error("task " + std::to_string(i));
    };
    const auto take = [&](std::size_t) {
      ++taken;
      return Proceed::yes;
    };
    CHECK_THROWS_WITH(parallel_for_in_order(10, {jobs}, fail, take), "task 3");
    CHECK(taken == 3);
  }
}

TEST_CASE("nothing to do is done") {
  parallel_for_in_order(
      0, {4}, [](std::size_t) { FAIL(); }, [](std::size_t) { return Proceed::yes; });
  CHECK(all_cores().count >= 1);
}
