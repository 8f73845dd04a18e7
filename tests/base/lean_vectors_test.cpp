#include <gdsim/base/lean_vectors.hpp>

#include <rapidcheck/catch.h>
#include <catch2/catch.hpp>

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

using namespace gdsim;

namespace {

struct Plain {
  std::uint64_t value = 7;
  friend bool operator==(const Plain&, const Plain&) = default;
};

bool are_same(const detail::GrowingBlock<Plain>& block, const std::vector<Plain>& values) {
  return block.size() == values.size() && block.empty() == values.empty() &&
         std::equal(block.begin(), block.end(), values.begin());
}

}  // namespace

TEST_CASE("a growing block holds what a vector holds") {
  rc::prop("push_back and resize", [](const std::vector<std::uint16_t>& draws) {
    detail::GrowingBlock<Plain> block;
    std::vector<Plain> values;
    for (const std::uint16_t draw : draws) {
      if (draw % 5 == 0) {
        block.resize(draw % 300);
        values.resize(draw % 300);
      } else {
        block.push_back({draw});
        values.push_back({draw});
      }
      RC_ASSERT(are_same(block, values));
    }
  });
}

TEST_CASE("a copy of a growing block is apart from it, and what was moved from is empty") {
  detail::GrowingBlock<Plain> block;
  for (std::uint64_t i = 0; i < 100; ++i) block.push_back({i});
  detail::GrowingBlock<Plain> copy = block;
  copy[3].value = 50;
  CHECK(block[3].value == 3);
  CHECK(copy.back() == block.back());
  const detail::GrowingBlock<Plain> moved = std::move(copy);
  CHECK(copy.empty());  // what is left
  CHECK(moved.size() == 100);
  CHECK(moved[3].value == 50);
  block = moved;
  CHECK(block[3].value == 50);
  CHECK(detail::GrowingBlock<Plain>(detail::GrowingBlock<Plain>()).empty());
}

TEST_CASE("a growing block takes a value of its own while it moves") {
  detail::GrowingBlock<Plain> block;
  block.push_back({1});
  for (int i = 0; i < 10'000; ++i) block.push_back(block.front());
  CHECK(std::all_of(block.begin(), block.end(), [](const Plain& one) { return one.value == 1; }));
}

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
