#include <gdsim/base/containers.hpp>

#include <rapidcheck/catch.h>
#include <catch2/catch.hpp>

#include <set>

using namespace gdsim;

TEST_CASE("an index set finds its next member like an ordered set") {
  rc::prop("next() is lower_bound", [](const std::vector<std::uint8_t>& toggled, std::uint8_t from) {
    IndexSet set(256);
    std::set<std::size_t> model;
    for (const std::uint8_t index : toggled) {
      if (model.erase(index) > 0) {
        set.erase(index);
      } else {
        model.insert(index);
        set.insert(index);
      }
      set.insert(index % 7 == 0 ? index : 0);
      model.insert(index % 7 == 0 ? index : 0);
    }
    const auto expected = model.lower_bound(from);
    const auto found = set.next(from);
    RC_ASSERT(found.has_value() == (expected != model.end()));
    if (found) RC_ASSERT(*found == *expected);
    RC_ASSERT(set.empty() == model.empty());
    RC_ASSERT(set.only().has_value() == (model.size() == 1));
    if (set.only()) RC_ASSERT(*set.only() == *model.begin());
  });
}

TEST_CASE("an index set ends at its size") {
  IndexSet set(65);
  set.insert(64);
  CHECK(set.next(0) == 64U);
  CHECK_FALSE(set.next(65).has_value());
  set.erase(64);
  CHECK_FALSE(set.next(0).has_value());
}
