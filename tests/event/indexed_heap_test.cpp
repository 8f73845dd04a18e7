#include <gdsim/event/indexed_heap.hpp>

#include <rapidcheck/catch.h>
#include <catch2/catch.hpp>

#include <algorithm>
#include <map>
#include <vector>

using namespace gdsim;

TEST_CASE("the least key is on top, whatever was put, changed and taken out before") {
  rc::prop("like a map of all keys", [] {
    IndexedHeap<int> heap;
    std::map<std::uint32_t, int> keys;
    for (int i = 0; i < 60; ++i) {
      const auto index = *rc::gen::inRange<std::uint32_t>(0, 12);
      if (*rc::gen::inRange(0, 3) == 0) {
        heap.erase(index);
        keys.erase(index);
      } else {
        keys[index] = *rc::gen::inRange(0, 6);
        heap.set(index, keys[index]);
      }
      RC_ASSERT(heap.empty() == keys.empty());
      std::vector<std::uint32_t> least;
      heap.visit_least([&](std::uint32_t at) { least.push_back(at); });
      if (keys.empty()) {
        RC_ASSERT(least.empty());
        continue;
      }
      const auto key = std::min_element(keys.begin(), keys.end(), [](const auto& a, const auto& b) {
                         return a.second < b.second;
                       })->second;
      std::vector<std::uint32_t> expected;
      for (const auto& [at, own] : keys)
        if (own == key) expected.push_back(at);
      std::sort(least.begin(), least.end());
      RC_ASSERT(heap.top_key() == key);
      RC_ASSERT(least == expected);
      RC_ASSERT(std::binary_search(expected.begin(), expected.end(), heap.top()));
    }
  });
}
