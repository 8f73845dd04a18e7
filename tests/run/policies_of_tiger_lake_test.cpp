#include "support/builders.hpp"

#include <catch2/catch.hpp>

// Which of 360 policies give what Intel's guide documents on Tiger Lake: 5 placements, 3 admissions, 8 numbers of
// ports (1 to 7 and unlimited), 3 handovers.

using namespace gdsim;
using namespace gdsim::testing;

namespace {

using Threads = std::vector<std::uint64_t>;

std::vector<DispatchRules> policies() {
  std::vector<DispatchRules> all;
  for (const char* placement : {"fill_first", "round_robin", "least_loaded", "most_room", "group_round_robin"})
    for (const Admission admission : {Admission::whole, Admission::partial, Admission::spread})
      for (std::uint64_t ports = 1; ports <= 8; ++ports)
        for (const Handover handover : {Handover::never, Handover::barrier_or_slm, Handover::always}) {
          DispatchRules rules = tiger_lake().dispatch;
          rules.placement = placement;
          rules.admission = admission;
          rules.ports = ports < 8 ? std::optional(ports) : std::nullopt;
          rules.handover = handover;
          all.push_back(rules);
        }
  return all;
}

struct Documented {
  Kernel kernel;
  Threads phases;
};

/// VectorAdd1 and VectorAdd2: 16 threads per work-group, `groups` of them.
Documented vector_add2(std::uint64_t groups, Threads phases) {
  return {kernel_of(groups, 16, {compute(ms(10))}), std::move(phases)};
}

std::vector<Documented> vector_add1_and_2() {
  std::vector<Documented> kernels{vector_add2(53'760, {672}), vector_add2(44, {672, 32}), vector_add2(48, {672, 96})};
  for (const std::uint64_t groups : {1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 20, 24, 28, 32, 36, 40, 42})
    kernels.push_back(vector_add2(groups, {groups * 16}));
  return kernels;
}

Documented documented_add3() { return {kernel_of(8, 40, {compute(ms(10))}), {224, 96}}; }

Documented documented_add4() {
  Documented documented{kernel_of(8, 40, {barrier(), compute(ms(10))}), {304, 264, 80}};
  documented.kernel.variation.factors = {{group(6), Decimal{8, -1}}};
  return documented;
}

Threads phases_of(const Documented& documented, const DispatchRules& rules) {
  static const DeviceSpec device = tiger_lake();
  return phase_threads(simulate(device, rules, workload_of({documented.kernel})).record);
}

}  // namespace

TEST_CASE("of 360 policies one gives all that is documented of VectorAdd1 to 4, while each kernel alone leaves more",
          "[figures]") {
  std::size_t three = 0;
  std::size_t four = 0;
  std::size_t one_and_two = 0;
  std::vector<DispatchRules> all;
  for (const DispatchRules& rules : policies()) {
    const bool gives_three = phases_of(documented_add3(), rules) == documented_add3().phases;
    const bool gives_four = phases_of(documented_add4(), rules) == documented_add4().phases;
    three += gives_three ? 1U : 0U;
    four += gives_four ? 1U : 0U;
    bool gives_others = true;
    for (const Documented& documented : vector_add1_and_2())
      gives_others = gives_others && phases_of(documented, rules) == documented.phases;
    one_and_two += gives_others ? 1U : 0U;
    if (gives_three && gives_four && gives_others) all.push_back(rules);
  }
  REQUIRE(all.size() == 1);
  CHECK(all[0].placement == "fill_first");
  CHECK(all[0].admission == Admission::partial);
  CHECK(all[0].ports == 2U);
  CHECK(all[0].handover == Handover::barrier_or_slm);
  CHECK(three == 2);
  CHECK(four == 22);
  CHECK(one_and_two == 360);
}
