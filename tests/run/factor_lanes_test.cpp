#include "support/random_values.hpp"

#include <gdsim/run/draws.hpp>
#include <gdsim/run/factor_lanes.hpp>

#include <hwy/targets.h>
#include <rapidcheck/catch.h>
#include <catch2/catch.hpp>

#include <array>
#include <cstdint>
#include <limits>

using namespace gdsim;
using namespace gdsim::testing;

namespace {

/// While it lives, only some of the machine's vector units are used.
class OnlyTargets {
 public:
  explicit OnlyTargets(std::int64_t targets) { use(targets); }
  ~OnlyTargets() { use(0); }
  OnlyTargets(const OnlyTargets&) = delete;
  OnlyTargets& operator=(const OnlyTargets&) = delete;

 private:
  static void use(std::int64_t targets) {
    hwy::SetSupportedTargetsForTest(targets);
    hwy::GetChosenTarget().DeInit();
  }
};

/// Runs it on each of the machine's vector units, from the widest to none.
template <class Run>
void on_each_target(Run run) {
  std::int64_t targets = hwy::SupportedTargets();
  int count = 0;
  for (; targets != 0; targets &= targets - 1, ++count) {
    const OnlyTargets only(targets);
    run();
  }
  REQUIRE(count > 0);
}

}  // namespace

TEST_CASE("factors are the same on every vector unit as one by one") {
  on_each_target([] {
    rc::prop("uniform ones", [] {
      const FactorDraw draw(Draw{Distribution::uniform, Decimal{between<std::uint64_t>(1, 570), -3},
                                 DrawPer::work_group, *rc::gen::arbitrary<std::uint64_t>()});
      const auto first = one_of<std::uint64_t>({0, 77, 0xFFFF'FFE0, 0x7'FFFF'FFFF}) + between<std::uint64_t>(0, 9);
      const FactorsAtOnce together = draw.factors({LaunchId{3}, WorkGroupId{first}, 2});
      for (std::size_t i = 0; i < together.size(); ++i)
        RC_ASSERT(DrawnFactor{together[i]} == draw.factor({LaunchId{3}, WorkGroupId{first + i}, 2}));
    });
  });
}

TEST_CASE("products are the same on every vector unit as one by one") {
  on_each_target([] {
    rc::prop("of small amounts and factors, and of others", [] {
      const auto most = one_of<std::int64_t>(
          {1, 1'000, 10'000'000, 2'000'000'000, 3'000'000'000, std::numeric_limits<std::int64_t>::max()});
      const std::int64_t amount = between<std::int64_t>(0, 3) == 0 ? most : between<std::int64_t>(0, most);
      const auto largest = one_of<std::uint64_t>({3, 1'000'000'000, 2'147'483'647, 2'147'483'648, 9'000'000'000'000});
      FactorsAtOnce factors;
      for (std::uint64_t& factor : factors) factor = between(0, 5) == 0 ? largest : between<std::uint64_t>(1, largest);
      const ProductsAtOnce products = scaled_or_beyond(amount, factors);
      for (std::size_t i = 0; i < factors.size(); ++i)
        RC_ASSERT(products[i] == scaled_or_beyond(amount, DrawnFactor{factors[i]}));
    });
  });
}

TEST_CASE("a product halfway between two wholes is rounded up in lanes, too") {
  on_each_target([] {
    FactorsAtOnce factors;
    const std::array<std::uint64_t, 3> expected{999'999'998, 1'000'000'000, 1'000'000'001};
    for (std::size_t i = 0; i < factors.size(); ++i) factors[i] = 499'999'999 + i % 3;
    const ProductsAtOnce products = scaled_or_beyond(1'999'999'999, factors);
    for (std::size_t i = 0; i < factors.size(); ++i) CHECK(products[i] == expected[i % 3]);
  });
}
