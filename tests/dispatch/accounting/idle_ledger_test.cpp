#include <gdsim/dispatch/accounting/idle_watch.hpp>

#include <rapidcheck/catch.h>
#include <catch2/catch.hpp>

#include <map>
#include <optional>
#include <vector>

using namespace gdsim;

TEST_CASE("idle contexts are reported with each of their causes once, nobody first, then by kernel") {
  rc::prop("a ledger of two cores against a list", [] {
    // 0: nothing to dispatch; others: kernels. Many more than recur soon.
    const auto causes = *rc::gen::container<std::vector<std::uint32_t>>(rc::gen::inRange<std::uint32_t>(0, 40));
    IdleLedger ledger(2);
    std::map<std::uint32_t, std::int64_t> sums;
    for (const std::uint32_t cause : causes) {
      std::optional<IdleReason> why;
      if (cause > 0) why = IdleReason{static_cast<KernelId>(cause - 1), WaitReason::contexts};
      ledger.add(CoreId{1}, why, 3 * std::int64_t{cause + 1});
      sums[cause] += 3 * std::int64_t{cause + 1};
    }
    const IdleUses all = ledger.take();
    const std::vector<IdleUse> uses(all.begin(), all.end());
    RC_ASSERT(uses.size() == sums.size());
    auto expected = sums.begin();
    for (const IdleUse& use : uses) {
      RC_ASSERT(use.core == CoreId{1});
      RC_ASSERT((use.kernel ? index_of(*use.kernel) + 1 == expected->first : expected->first == 0));
      RC_ASSERT(use.context_time == expected->second);
      ++expected;
    }
  });
}
