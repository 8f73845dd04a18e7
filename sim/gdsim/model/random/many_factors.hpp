#pragma once

#include <gdsim/model/random/draws.hpp>
#include <gdsim/model/random/factor_lanes.hpp>

namespace gdsim {

/// Returns the factors of a SampleRange from `first` on, each equal to FactorDraw::factor().
FactorsAtOnce many_factors(const FactorDraw& draw, const Sample& first, unsigned thread_bits);

}  // namespace gdsim
