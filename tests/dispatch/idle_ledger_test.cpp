#include <gdsim/dispatch/idle_ledger.hpp>

#include <rapidcheck/catch.h>
#include <catch2/catch.hpp>

#include <map>
#include <optional>
#include <vector>

using namespace gdsim;

TEST_CASE("idle contexts are reported with each of their causes once, in the order of the causes") {
  rc::prop("a ledger of two cores against a list", [] {
    // 0: nothing to dispatch; others: kernels. Many more than recur soon.
    const auto causes = *rc::gen::container<std::vector<std::uint32_t>>(rc::gen::inRange<std::uint32_t>(0, 40));
    IdleLedger ledger(2);
    std::vector<std::uint32_t> order;
    std::map<std::uint32_t, std::int64_t> sums;
    std::int64_t now = 0;
    for (const std::uint32_t cause : causes) {
      std::optional<IdleReason> why;
      if (cause > 0) why = IdleReason{static_cast<KernelId>(cause - 1), WaitReason::contexts};
      ledger.set(CoreId{1}, 3, why, SimTime{now});
      if (!sums.contains(cause)) order.push_back(cause);
      now += cause + 1;
      sums[cause] += 3 * std::int64_t{cause + 1};
    }
    const std::vector<IdleUse> uses = ledger.take(SimTime{now});
    RC_ASSERT(uses.size() == order.size());
    for (std::size_t i = 0; i < uses.size(); ++i) {
      RC_ASSERT(uses[i].core == CoreId{1});
      RC_ASSERT((uses[i].kernel ? index_of(*uses[i].kernel) + 1 == order[i] : order[i] == 0));
      RC_ASSERT(uses[i].context_time == sums[order[i]]);
    }
  });
}
