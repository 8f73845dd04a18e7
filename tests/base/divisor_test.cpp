#include "support/random_values.hpp"

#include <gdsim/base/arithmetic.hpp>

#include <rapidcheck/catch.h>
#include <catch2/catch.hpp>

#include <cstdint>
#include <limits>

using namespace gdsim;
using namespace gdsim::testing;

namespace {

UInt128 divided_up(UInt128 dividend, std::uint64_t divisor) {
  return dividend / divisor + (dividend % divisor != 0 ? 1 : 0);
}

constexpr std::uint64_t kMax = std::numeric_limits<std::uint64_t>::max();

}  // namespace

TEST_CASE("a divisor gives the quotient rounded up, around each of its multiples") {
  rc::prop("small and large ones", [] {
    const auto max = one_of<std::uint64_t>({1, 255, 256, 257, 1'000'000, std::uint64_t{1} << 44U, kMax});
    const std::uint64_t value = between(0, 3) == 0 ? max : between<std::uint64_t>(1, max);
    const Divisor divisor(value);
    RC_ASSERT(divisor.value() == value);
    const UInt128 multiple = UInt128{between<std::uint64_t>(0, kMax / value)} * value;
    for (const UInt128 dividend : {multiple, multiple + 1, multiple + value - 1, UInt128{kMax}, UInt128{kMax} - value,
                                   UInt128{kMax} + 1, multiple << 40U, (multiple << 40U) + 1})
      RC_ASSERT(divisor.divide_up(dividend) == divided_up(dividend, value));
  });
}

TEST_CASE("a default divisor is one") {
  CHECK(Divisor().divide_up(0) == 0);
  CHECK(Divisor().divide_up(kMax) == kMax);
  CHECK(Divisor().divide_up(UInt128{kMax} * 5) == UInt128{kMax} * 5);
}
