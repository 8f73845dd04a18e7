#include "support/builders.hpp"

#include <gdsim/compile/compiled_parts.hpp>
#include <gdsim/dispatch/dispatch_traits.hpp>
#include <gdsim/run/drive.hpp>

#include <catch2/catch.hpp>

#include <functional>
#include <utility>
#include <vector>

using namespace gdsim;
using namespace gdsim::testing;

namespace {

constexpr DispatchTraits::Setting kSimple{1, true, false};

DispatchTraits traits_of(const DispatchRules& rules, const DispatchTraits::Setting& setting = kSimple) {
  return {rules, DispatchTimes(one_core(), rules), setting};
}

bool allow_something(const DispatchTraits& traits) {
  return traits.are_known() || traits.is_head_of_line() || traits.allow_incremental_turns() ||
         traits.allow_incremental_placing() || traits.allow_slot_reuse() || traits.allow_isolated_launches() ||
         traits.allow_shared_requests();
}

}  // namespace

TEST_CASE("a value of a rule that is not known allows no shorter way") {
  const std::vector<std::function<void(DispatchRules&)>> unknown{
      [](DispatchRules& rules) { rules.kernel_choice = static_cast<KernelChoice>(17); },
      [](DispatchRules& rules) { rules.admission = static_cast<Admission>(17); },
      [](DispatchRules& rules) { rules.core_sharing = static_cast<CoreSharing>(17); },
      [](DispatchRules& rules) { rules.handover = static_cast<Handover>(17); },
      [](DispatchRules& rules) { rules.slm_reconfiguration = static_cast<SlmReconfiguration>(17); }};
  for (const auto& change : unknown) {
    DispatchRules rules = one_core().dispatch;
    CHECK(traits_of(rules).are_known());
    change(rules);
    CHECK_FALSE(allow_something(traits_of(rules)));
  }
  CHECK_FALSE(allow_something(DispatchTraits()));
}

TEST_CASE("where the clock changes, nothing is fast-forwarded, and shorter turns stay") {
  const DispatchRules rules = one_core().dispatch;
  CHECK(traits_of(rules).allow_fast_forwarding());
  const DeviceSpec slowed = with(one_core(), [](DeviceSpec& d) {
    d.clock_changes = {{SimTime{1}, Hertz{500'000'000}}};
  });
  const DispatchTraits traits(rules, DispatchTimes(slowed, rules), kSimple);
  CHECK_FALSE(traits.allow_fast_forwarding());
  CHECK(traits.allow_incremental_turns());
}

TEST_CASE("each rule takes away the shorter ways that it would make wrong, and no others") {
  const auto ways = [](const std::function<void(DispatchRules&)>& change, const DispatchTraits::Setting& setting) {
    DispatchRules rules;
    rules.placement = "fill_first";
    change(rules);
    const DispatchTraits traits = traits_of(rules, setting);
    return std::vector<bool>{traits.allow_incremental_turns(), traits.allow_incremental_placing(),
                             traits.allow_slot_reuse(), traits.allow_shared_requests()};
  };
  const auto isolated = [](const std::function<void(DispatchRules&)>& change, const DispatchTraits::Setting& setting) {
    DispatchRules rules;
    rules.placement = "fill_first";
    change(rules);
    return traits_of(rules, setting).allow_isolated_launches();
  };
  using Ways = std::vector<bool>;
  const auto as_it_is = [](DispatchRules&) {};
  const StepTime a_while = picoseconds(5);
  CHECK(ways(as_it_is, kSimple) == Ways{true, true, true, false});
  CHECK(ways(as_it_is, {2, true, false}) == Ways{false, false, false, false});
  CHECK(ways(as_it_is, {1, false, false}) == Ways{true, false, false, false});
  CHECK(ways(as_it_is, {1, true, true}) == Ways{true, true, false, false});
  CHECK(ways([](DispatchRules& rules) { rules.core_sharing = CoreSharing::exclusive; }, kSimple) ==
        Ways{false, false, true, false});
  CHECK(ways([&](DispatchRules& rules) { rules.recovery = a_while; }, kSimple) == Ways{true, true, false, false});
  CHECK(ways(
            [&](DispatchRules& rules) {
              rules.interval = DispatchInterval{a_while, {}};
            },
            kSimple) == Ways{true, false, false, false});
  CHECK(ways([](DispatchRules& rules) { rules.batch = BatchRule{}; }, kSimple) == Ways{true, true, false, false});
  const auto skipping = [](DispatchRules& rules) { rules.kernel_choice = KernelChoice::skip_blocked; };
  CHECK(ways(skipping, kSimple) == Ways{true, false, false, true});
  CHECK(ways([&](DispatchRules& rules) { skipping(rules), rules.admission = Admission::spread; }, kSimple) ==
        Ways{true, false, false, false});
  CHECK(ways([&](DispatchRules& rules) { skipping(rules), rules.concurrent_kernels = 4; }, kSimple) ==
        Ways{true, false, false, false});
  CHECK(isolated(as_it_is, kSimple));
  CHECK(isolated(as_it_is, {2, true, true}));
  CHECK(isolated([&](DispatchRules& rules) { rules.recovery = a_while; }, kSimple));
  CHECK_FALSE(isolated(as_it_is, {1, false, false}));
  CHECK_FALSE(isolated(skipping, kSimple));
  CHECK_FALSE(isolated([](DispatchRules& rules) { rules.admission = Admission::spread; }, kSimple));
  CHECK_FALSE(isolated([](DispatchRules& rules) { rules.core_sharing = CoreSharing::exclusive; }, kSimple));
}

TEST_CASE("a run under unknown rules is not fast-forwarded, and gives the same results") {
  const DeviceSpec device = one_core();
  const Workload workload = workload_of({kernel_of(4'000, 1, {compute(us(1))})});
  const auto run = [&](bool is_known, FastForward fast_forward) {
    const Compiled ready = compiled(device, workload);
    Model model(input_of(CompiledParts::of(ready)));
    if (!is_known) model.state().dispatching.state().traits = DispatchTraits();
    RunControl control;
    control.fast_forward = fast_forward;
    drive(model, {}, control);
    return std::pair{model.events(), model.now()};
  };
  const auto plain = run(true, FastForward::no);
  CHECK(run(true, FastForward::yes).first < plain.first / 10);
  CHECK(run(true, FastForward::yes).second == plain.second);
  CHECK(run(false, FastForward::yes) == plain);
}
