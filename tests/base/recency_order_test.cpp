#include <gdsim/base/containers.hpp>

#include <catch2/catch.hpp>

#include <vector>

using gdsim::RecencyOrder;

namespace {

std::vector<std::uint32_t> numbers(const RecencyOrder& order) { return {order.begin(), order.end()}; }

}  // namespace

TEST_CASE("the number that was touched last comes first, and a new one is the next number") {
  RecencyOrder order(3);
  CHECK(numbers(order) == std::vector<std::uint32_t>{0, 1, 2});
  order.touch(2);
  order.touch(3);
  order.touch(1);
  CHECK(numbers(order) == std::vector<std::uint32_t>{1, 3, 2, 0});
}
