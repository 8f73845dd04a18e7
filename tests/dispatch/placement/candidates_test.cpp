#include <gdsim/dispatch/placement/placements.hpp>

#include <catch2/catch.hpp>
#include <rapidcheck/catch.h>

#include <algorithm>
#include <map>

using namespace gdsim;

TEST_CASE("the best candidates are those of the lowest cost, whatever was put and erased before") {
  rc::prop("like a map from core to cost", [] {
    constexpr std::size_t cores = 70;
    Candidates candidates(0, cores, {});
    std::map<std::size_t, std::size_t> model;
    for (int i = *rc::gen::inRange(0, 60); i > 0; --i) {
      const auto core = *rc::gen::inRange<std::size_t>(0, cores);
      if (*rc::gen::inRange(0, 3) == 0) {
        candidates.erase(static_cast<CoreId>(core));
        model.erase(core);
      } else {
        const auto cost = *rc::gen::inRange<std::size_t>(0, 130);
        candidates.put(static_cast<CoreId>(core), cost);
        model[core] = cost;
      }
    }
    RC_ASSERT(candidates.empty() == model.empty());
    if (model.empty()) return;
    const auto lowest = std::min_element(model.begin(), model.end(), [](const auto& a, const auto& b) {
                          return a.second < b.second;
                        })->second;
    for (std::size_t core = 0; core < cores; ++core) {
      const auto entry = model.find(core);
      RC_ASSERT(candidates.contains(static_cast<CoreId>(core)) == (entry != model.end()));
      RC_ASSERT(candidates.best().contains(core) == (entry != model.end() && entry->second == lowest));
    }
  });
}

TEST_CASE("candidates stand in the order of ties, if the device has one") {
  Candidates candidates(0, 4, {CoreId{2}, CoreId{0}, CoreId{3}, CoreId{1}});
  candidates.put(CoreId{0}, 5);
  candidates.put(CoreId{1}, 5);
  candidates.put(CoreId{3}, 5);
  CHECK(candidates.core_at(*candidates.best().next(0)) == CoreId{0});
  candidates.put(CoreId{2}, 5);
  CHECK(candidates.core_at(*candidates.best().next(0)) == CoreId{2});
}

TEST_CASE("the reason of a core is known from its answer until the core changes, or all answers are dropped") {
  Candidates candidates(0, 3, {});
  CHECK_FALSE(candidates.knows(CoreId{0}));
  candidates.refuse(CoreId{0}, WaitReason::slm);
  candidates.put(CoreId{1}, 2);
  CHECK(candidates.knows(CoreId{0}));
  CHECK(candidates.refusal(CoreId{0}) == WaitReason::slm);
  CHECK_FALSE(candidates.contains(CoreId{0}));
  CHECK(candidates.knows(CoreId{1}));
  CHECK_FALSE(candidates.refusal(CoreId{1}).has_value());
  candidates.forget(CoreId{1});
  CHECK_FALSE(candidates.knows(CoreId{1}));
  CHECK(candidates.contains(CoreId{1}));
  candidates.clear();
  CHECK(candidates.empty());
  CHECK_FALSE(candidates.knows(CoreId{0}));
}
