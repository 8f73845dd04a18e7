#include "support/builders.hpp"

#include <gdsim/dispatch/dispatch_state.hpp>

#include <catch2/catch.hpp>

#include <functional>
#include <vector>

using namespace gdsim;
using namespace gdsim::testing;

namespace {

constexpr DispatchTraits::Setting kSimple{1, true};

/// The shorter ways that the rules allow: short turns, and none where nothing has changed.
using Ways = std::vector<bool>;

Ways ways_of(const DispatchTraits& traits) { return {traits.allow_short_turns(), traits.turns_repeat()}; }

}  // namespace

TEST_CASE("a value of a rule that is not known allows no shorter way") {
  const std::vector<std::function<void(DispatchRules&)>> unknown{
      [](DispatchRules& rules) { rules.kernel_choice = static_cast<KernelChoice>(17); },
      [](DispatchRules& rules) { rules.kernel_choice = KernelChoice::own; },
      [](DispatchRules& rules) { rules.admission = static_cast<Admission>(17); },
      [](DispatchRules& rules) { rules.core_sharing = static_cast<CoreSharing>(17); },
      [](DispatchRules& rules) { rules.handover = static_cast<Handover>(17); },
      [](DispatchRules& rules) { rules.slm_reconfiguration = static_cast<SlmReconfiguration>(17); }};
  for (const auto& change : unknown) {
    DispatchRules rules = one_core().dispatch;
    REQUIRE(ways_of({rules, kSimple}) == Ways{true, true});
    change(rules);
    const DispatchTraits traits(rules, kSimple);
    CHECK(ways_of(traits) == Ways{false, false});
    CHECK_FALSE(traits.is_head_of_line());
  }
  CHECK(ways_of(DispatchTraits()) == Ways{false, false});
  CHECK_FALSE(DispatchTraits().is_head_of_line());
}

TEST_CASE("only launches of the same cores have one head") {
  const DispatchRules rules = one_core().dispatch;
  CHECK(DispatchTraits(rules, {1, true, true}).is_head_of_line());
  CHECK_FALSE(DispatchTraits(rules, {1, true, false}).is_head_of_line());
}

TEST_CASE("each rule takes away the shorter ways that it would make wrong, and no others") {
  const auto ways = [](const std::function<void(DispatchRules&)>& change, const DispatchTraits::Setting& setting) {
    DispatchRules rules;
    rules.placement = "fill_first";
    change(rules);
    return ways_of({rules, setting});
  };
  const auto as_it_is = [](DispatchRules&) {};
  const StepTime a_while = picoseconds(5);
  const auto interval = [&](DispatchRules& rules) { rules.interval = DispatchInterval{a_while, {}}; };
  CHECK(ways(as_it_is, kSimple) == Ways{true, true});
  CHECK(ways(as_it_is, {2, true}) == Ways{false, true});
  CHECK(ways(as_it_is, {1, false}) == Ways{true, false});
  CHECK(ways([](DispatchRules& rules) { rules.core_sharing = CoreSharing::exclusive; }, kSimple) == Ways{false, true});
  CHECK(ways([&](DispatchRules& rules) { rules.recovery = a_while; }, kSimple) == Ways{true, true});
  CHECK(ways(interval, kSimple) == Ways{true, true});
  CHECK(ways([](DispatchRules& rules) { rules.batch = BatchRule{}; }, kSimple) == Ways{true, true});
  for (const KernelChoice choice : {KernelChoice::skip_blocked, KernelChoice::round_robin})
    CHECK(ways([&](DispatchRules& rules) { rules.kernel_choice = choice; }, kSimple) ==
          Ways{true, choice != KernelChoice::round_robin});
}
