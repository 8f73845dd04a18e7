#pragma once

#include <gdsim/model/random/draws.hpp>
#include <gdsim/model/random/factor_lanes.hpp>

namespace gdsim {

/// The factors of a SampleRange, from `first` on, as FactorDraw::factor() draws each.
FactorsAtOnce many_factors(const FactorDraw& draw, const Sample& first, unsigned thread_bits);

}  // namespace gdsim
