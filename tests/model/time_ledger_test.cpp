#include <gdsim/model/time_ledger.hpp>

#include <catch2/catch.hpp>

#include <map>
#include <utility>

using namespace gdsim;

namespace {

CoreId core(std::size_t number) { return static_cast<CoreId>(number); }
KernelId kernel(std::size_t number) { return static_cast<KernelId>(number); }

}  // namespace

TEST_CASE("a time ledger gives back what was booked, by core, then kernel, whatever its pages") {
  const auto [cores, kernels] = GENERATE(table<std::size_t, std::size_t>({{1, 1}, {3, 7}, {1'000, 50'001}}));
  TimeLedger ledger(cores, kernels);
  std::map<std::pair<std::size_t, std::size_t>, std::int64_t> booked;
  for (std::size_t i = 0; i < 500; ++i) {
    const std::size_t at_core = i * 7'919 % cores;
    const std::size_t at_kernel = i % 3 == 0 ? kernels - 1 : i * 104'729 % kernels;
    ledger.book(core(at_core), kernel(at_kernel), Activity::memory, 2, static_cast<std::int64_t>(i));
    booked[{at_core, at_kernel}] += 2 * static_cast<std::int64_t>(i);
  }
  auto expected = booked.begin();
  for (const CoreTimeUse& one : TimeLedger(ledger).take_uses()) {
    while (expected != booked.end() && expected->second == 0) ++expected;
    REQUIRE(expected != booked.end());
    CHECK(index_of(one.core) == expected->first.first);
    CHECK(index_of(one.kernel) == expected->first.second);
    CHECK((one.use.spent_on(Activity::memory) == expected->second && one.use.sum() == expected->second));
    CHECK((ledger.total_of(one.core, one.kernel).sum() == expected->second));
    ++expected;
  }
  CHECK(expected == booked.end());
}
