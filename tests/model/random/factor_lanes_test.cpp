#include "support/random_values.hpp"

#include <gdsim/model/random/factor_lanes.hpp>
#include <gdsim/program/scaled_amount.hpp>

#include <rapidcheck/catch.h>
#include <catch2/catch.hpp>

#include <algorithm>
#include <array>
#include <cstdint>

using namespace gdsim;
using namespace gdsim::testing;

TEST_CASE("factors are the same on every vector unit") {
  rc::prop("from any counter", [] {
    const auto any = [] { return *rc::gen::arbitrary<std::uint32_t>(); };
    const PhiloxBlock first{one_of({0U, 0xFFFF'FFF0U}) + between(0U, 9U), any(), any(), any()};
    const SampleRange samples{first, *rc::gen::arbitrary<std::uint64_t>(), between(0U, 8U)};
    const double slope = between(1, 999) / 1'000.0;
    const FactorsAtOnce expected =
        widest_vector_unit().uniform_factors(samples, slope);  // many_factors_test.cpp compares it with single draws
    for (const VectorUnit& unit : vector_units()) {
      INFO(unit.name);
      RC_ASSERT(unit.uniform_factors(samples, slope) == expected);
    }
  });
  rc::prop("normal and lognormal ones", [] {
    const auto any = [] { return *rc::gen::arbitrary<std::uint32_t>(); };
    const SampleRange samples{{any(), any(), any(), any()}, *rc::gen::arbitrary<std::uint64_t>(), between(0U, 8U)};
    const double spread = between(1, 999) / 1'000.0;
    const VectorUnit& widest = widest_vector_unit();
    const FactorsAtOnce normal = widest.normal_factors(samples, spread);
    const FactorsAtOnce lognormal = widest.lognormal_factors(samples, spread, -0.1);
    for (const VectorUnit& unit : vector_units()) {
      INFO(unit.name);
      RC_ASSERT(unit.normal_factors(samples, spread) == normal);
      RC_ASSERT(unit.lognormal_factors(samples, spread, -0.1) == lognormal);
    }
  });
}

TEST_CASE("products are the same on every vector unit as one by one") {
  rc::prop("of small amounts and factors, and of factors that are too large", [] {
    const auto max = one_of<std::int64_t>({1, 1'000, 10'000'000, 2'000'000'000});
    const std::int64_t amount = between(0, 3) == 0 ? max : between<std::int64_t>(1, max);
    const auto largest = one_of<std::uint64_t>({3, 1'000'000'000, 2'147'483'647, 2'147'483'648, 9'000'000'000'000});
    FactorsAtOnce factors;
    for (std::uint64_t& factor : factors) factor = between(0, 5) == 0 ? largest : between<std::uint64_t>(1, largest);
    const bool fits = *std::max_element(factors.begin(), factors.end()) <= 2'147'483'647;
    for (const VectorUnit& unit : vector_units()) {
      INFO(unit.name);
      ProductsAtOnce products;
      RC_ASSERT(unit.scale(static_cast<std::uint64_t>(amount), factors, products) == fits);
      for (std::size_t i = 0; fits && i < factors.size(); ++i)
        RC_ASSERT(products[i] == saturating_scale(amount, DrawnFactor{factors[i]}));
    }
  });
}

TEST_CASE("a product halfway between two wholes is rounded up in lanes, too") {
  const std::array<std::uint64_t, 3> expected{999'999'998, 1'000'000'000, 1'000'000'001};
  FactorsAtOnce factors;
  for (std::size_t i = 0; i < factors.size(); ++i) factors[i] = 499'999'999 + i % 3;
  for (const VectorUnit& unit : vector_units()) {
    INFO(unit.name);
    ProductsAtOnce products;
    REQUIRE(unit.scale(1'999'999'999, factors, products));
    for (std::size_t i = 0; i < factors.size(); ++i) CHECK(products[i] == expected[i % 3]);
  }
}
