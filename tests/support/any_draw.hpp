#pragma once

#include "support/random_values.hpp"

#include <gdsim/workload/workload.hpp>

#include <cstdint>

namespace gdsim::testing {

/// Draws the factors of each thread, or of a launch, in a property.
inline Draw any_draw() {
  return {one_of({Distribution::uniform, Distribution::normal, Distribution::lognormal}),
          Decimal{between<std::uint64_t>(1, 90), -2},
          one_of({DrawPer::thread, DrawPer::thread, DrawPer::launch}),
          *rc::gen::arbitrary<std::uint64_t>(),
          DrawOrigin::declared,
          between(0, 2) == 0};
}

}  // namespace gdsim::testing
