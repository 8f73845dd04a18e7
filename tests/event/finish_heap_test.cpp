#include "support/random_values.hpp"

#include <gdsim/event/heaps.hpp>

#include <rapidcheck/catch.h>
#include <catch2/catch.hpp>

#include <algorithm>
#include <vector>

// What is done first comes first; what ties comes in the order of the standard library's heap, entry by entry.

using namespace gdsim;
using namespace gdsim::testing;

namespace {

struct Entry {
  int finish = 0;
  int number = 0;

  friend bool operator==(const Entry&, const Entry&) = default;
};

}  // namespace

TEST_CASE("entries lie in the heap as in that of the standard library") {
  rc::prop("whatever enters and leaves", [] {
    const auto later = [](const Entry& a, const Entry& b) { return b.finish < a.finish; };
    std::vector<Entry> heap;
    std::vector<Entry> standard;
    for (int i = between(1, 100); i > 0; --i) {
      if (!standard.empty() && between(0, 2) == 0) {
        const Entry first = standard.front();
        std::pop_heap(standard.begin(), standard.end(), later);
        standard.pop_back();
        RC_ASSERT(pop_from_heap(heap) == first);
      } else {
        const Entry entry{between(0, 9), i};
        standard.push_back(entry);
        std::push_heap(standard.begin(), standard.end(), later);
        push_to_heap(heap, entry);
      }
      RC_ASSERT(heap == standard);
    }
  });
}
