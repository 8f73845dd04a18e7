#include "support/random_values.hpp"

#include <gdsim/fast_forward/group_durations.hpp>
#include <gdsim/program/scaled_amount.hpp>

#include <rapidcheck/catch.h>
#include <catch2/catch.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>

using namespace gdsim;
using namespace gdsim::testing;

TEST_CASE("what is scaled at once is what is scaled one by one, in lanes or not") {
  rc::prop("of any amounts and factors", [] {
    const auto max = one_of<std::int64_t>({0, 1'000'000, 2'000'000'001, std::numeric_limits<std::int64_t>::max()});
    const std::int64_t amount = between(0, 3) == 0 ? max : between<std::int64_t>(0, max);
    const auto largest = one_of<std::uint64_t>({1'000'000'000, 3'000'000'000, 9'000'000'000'000});
    FactorsAtOnce factors;
    for (std::uint64_t& factor : factors) factor = between(0, 5) == 0 ? largest : between<std::uint64_t>(1, largest);
    const ProductsAtOnce products = many_products(amount, factors);
    for (std::size_t i = 0; i < factors.size(); ++i)
      RC_ASSERT(products[i] == saturating_scale(amount, DrawnFactor{factors[i]}));
  });
}
