#include "support/any_draw.hpp"
#include "support/builders.hpp"
#include "support/random_values.hpp"

#include <gdsim/model/factor_cache.hpp>

#include <rapidcheck/catch.h>
#include <catch2/catch.hpp>

#include <cstdint>

using namespace gdsim;
using namespace gdsim::testing;

TEST_CASE("a factor drawn ahead equals the one drawn on demand") {
  rc::prop("of work-groups in rising order, of several launches, and of others in between", [] {
    const FactorDraw draw(any_draw());
    FactorCache cache;
    const auto threads = one_of<std::uint32_t>({1, 2, 3, 4, 7, 8, 33, 256, 257, 1'000});
    const std::uint64_t first = one_of<std::uint64_t>({0, 250, 0xFFFF'FF00});
    for (std::uint64_t number = first; number < first + 600 / threads + 2; ++number)
      for (std::uint32_t thread = 0; thread < threads; ++thread) {
        const bool is_apart = between(0, 30) == 0;
        const Sample sample{launch(one_of({0U, 0U, 0U, 1U, 16U})),
                            group(is_apart ? between<std::uint64_t>(0, 1'000'000) : number), thread};
        const std::uint32_t of_threads = is_apart ? between(thread + 1, threads) : threads;
        RC_ASSERT(cache.factor(draw, sample, of_threads) == draw.factor(sample));
      }
  });
}

TEST_CASE("factors of several threads that are at hand are those of each of them") {
  rc::prop("from any thread of a work-group on", [] {
    const FactorDraw draw(any_draw());
    FactorCache cache;
    const auto threads = one_of<std::uint32_t>({1, 2, 3, 7, 8, 33, 256});
    std::uint32_t at_hand = 0;
    for (std::uint64_t number = 0; number < 300; ++number) {
      const auto first = between<std::uint32_t>(0, threads - 1);
      const Sample sample{launch(one_of({0U, 0U, 0U, 1U})), group(number), first};
      const auto count = between(1U, threads - first);
      const auto factors = cache.factors_from(draw, sample, threads, count);
      at_hand += factors.empty() ? 0 : 1;
      RC_ASSERT(factors.empty() || factors.size() == count);
      for (std::uint32_t i = 0; i < factors.size(); ++i)
        RC_ASSERT(DrawnFactor{factors[i]} == draw.factor({sample.launch, sample.work_group, first + i}));
    }
    RC_ASSERT(at_hand > 0U);
    RC_ASSERT(cache.factors_from(draw, {launch(0), group(0), 0}, 257, 1).empty());
  });
}
