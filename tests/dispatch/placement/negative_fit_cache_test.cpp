#include "support/random_values.hpp"
#include <gdsim/dispatch/placement/fit_search.hpp>

#include <catch2/catch.hpp>
#include <rapidcheck/catch.h>

#include <map>
#include <set>
#include <vector>

using namespace gdsim;
using namespace gdsim::testing;

TEST_CASE("a refused request is remembered, with the cores that have released since, until it is forgotten") {
  rc::prop("as noted down by hand", [] {
    const auto classes = between<std::size_t>(2, 4);
    const auto first = between<std::size_t>(0, 3);
    const auto cores = between<std::size_t>(1, 6);
    const std::vector<Footprint> footprints(2);
    NegativeFitCache cache(classes, first, cores);
    std::map<std::size_t, const Footprint*> refused;
    std::map<std::size_t, std::set<std::size_t>> released;  // by class: since it was refused
    for (int step = between(0, 40); step > 0; --step) {
      const auto number = between<std::size_t>(0, classes - 1);
      const Footprint& footprint = footprints[between<std::size_t>(0, 1)];
      const int what = between(0, 5);
      if (what == 0) {
        cache.forget(number, footprint);
        if (refused[number] == &footprint) refused[number] = nullptr;
      } else if (what < 3) {
        cache.on_refused(number, footprint);
        refused[number] = &footprint;
        released[number].clear();
      } else {
        const auto core = first + between<std::size_t>(0, cores - 1);
        cache.on_release(static_cast<CoreId>(core));
        for (auto& [of, changed] : released) changed.insert(core);
      }
      for (std::size_t of = 0; of < classes; ++of) {
        for (const Footprint& one : footprints) RC_ASSERT(cache.contains(of, one) == (refused[of] == &one));
        if (refused[of] == nullptr) continue;
        std::set<std::size_t> changed;
        cache.visit_changed(of, [&](CoreId core) { RC_ASSERT(changed.insert(index_of(core)).second); });
        RC_ASSERT(changed == released[of]);
      }
    }
  });
}

TEST_CASE("of a single request class nothing is remembered") {
  NegativeFitCache cache(1, 0, 2);
  const Footprint footprint;
  cache.on_refused(0, footprint);
  CHECK_FALSE(cache.contains(0, footprint));
}
