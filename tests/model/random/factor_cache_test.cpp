#include "support/any_draw.hpp"
#include "support/builders.hpp"
#include "support/random_values.hpp"

#include <gdsim/model/random/factor_cache.hpp>

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
