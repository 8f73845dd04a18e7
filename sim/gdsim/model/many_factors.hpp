#pragma once

#include <gdsim/model/draws.hpp>
#include <gdsim/model/factor_lanes.hpp>

namespace gdsim {

/// The factors of `first` and of the samples behind it, as FactorDraw::factor() draws them one by one: of each
/// work-group in turn, those of 2^thread_bits threads.
FactorsAtOnce many_factors(const FactorDraw& draw, const Sample& first, unsigned thread_bits);

}  // namespace gdsim
