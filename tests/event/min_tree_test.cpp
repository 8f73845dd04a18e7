#include <gdsim/event/heaps.hpp>

#include <rapidcheck/catch.h>
#include <catch2/catch.hpp>

#include <algorithm>
#include <vector>

using namespace gdsim;

TEST_CASE("the least of all keys is known, and who has it in ascending order") {
  rc::prop("like a vector of all keys", [] {
    constexpr int kNone = 6;
    const auto count = *rc::gen::inRange<std::size_t>(0, 13);
    MinTree<int> tree(count, kNone);
    std::vector<int> keys(count, kNone);
    RC_ASSERT(tree.least() == kNone);
    for (std::size_t i = 0; i < 5 * count; ++i) {
      const auto index = *rc::gen::inRange<std::size_t>(0, count);
      keys[index] = *rc::gen::inRange(0, kNone + 1);
      tree.set(index, keys[index]);
      const int least = *std::min_element(keys.begin(), keys.end());
      RC_ASSERT(tree.least() == least);
      if (least == kNone) continue;
      std::vector<std::size_t> found;
      tree.visit_least([&](std::size_t at) { found.push_back(at); });
      std::vector<std::size_t> expected;
      for (std::size_t at = 0; at < count; ++at)
        if (keys[at] == least) expected.push_back(at);
      RC_ASSERT(found == expected);
    }
  });
}
