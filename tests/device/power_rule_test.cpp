#include <gdsim/device/device_rules.hpp>

#include <catch2/catch.hpp>

using namespace gdsim;

namespace {

constexpr Hertz kSlow{1'000'000'000};
constexpr Hertz kFast{2'000'000'000};

/// 10 uW, of which 4 without threads; a context takes 1 uW, or 3 under the faster clock. Periods of 100 ps.
PowerRule rule() { return {Power{10}, Power{4}, Duration{100}, {{kSlow, Power{1}}, {kFast, Power{3}}}}; }

}  // namespace

TEST_CASE("the highest clock under which the limit holds is chosen, which may be reached") {
  CHECK(clock_after(rule(), 0) == kFast);
  CHECK(clock_after(rule(), 200) == kFast);  // 2 contexts: 4 + 6 uW
  CHECK(clock_after(rule(), 201) == kSlow);
}

TEST_CASE("the lowest clock is chosen where the limit holds under none") {
  CHECK(clock_after(rule(), 600) == kSlow);
  CHECK(clock_after(rule(), 100'000) == kSlow);
}

TEST_CASE("loads and powers at their largest do not overflow") {
  const PowerRule largest{Power{1'000'000'000'000},
                          Power{1'000'000'000'000},
                          Duration{1'000'000'000'000'000},
                          {{kSlow, Power{1'000'000'000}}}};
  CHECK(clock_after(largest, Int128{1 << 24} * 1'000'000'000'000'000) == kSlow);
}
