#include <gdsim/event/heaps.hpp>

#include <rapidcheck/catch.h>
#include <catch2/catch.hpp>

#include <algorithm>
#include <map>

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
      if (keys.empty()) continue;
      const auto key = std::min_element(keys.begin(), keys.end(), [](const auto& a, const auto& b) {
                         return a.second < b.second;
                       })->second;
      RC_ASSERT(heap.top_key() == key);
      RC_ASSERT(keys.at(heap.top()) == key);
    }
  });
}
