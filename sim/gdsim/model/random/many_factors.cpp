#include <gdsim/model/random/many_factors.hpp>

#include <cstddef>
#include <cstdint>

namespace gdsim {
namespace {

/// Returns factors computed by SIMD; 0 for a factor that SIMD cannot compute.
FactorsAtOnce factors_in_lanes(const FactorDraw& draw, const Sample& first, unsigned thread_bits) {
  const VectorUnit& unit = widest_vector_unit();
  const SampleRange samples{counter_of(first, 0), draw.seed(), thread_bits};
  switch (draw.distribution()) {
    case Distribution::normal: return unit.normal_factors(samples, draw.cv());
    case Distribution::lognormal: return unit.lognormal_factors(samples, draw.log_deviation(), draw.log_mean());
    case Distribution::uniform: {
      const double slope = uniform_slope(draw.cv());
      if (slope > 0 && slope < 1) return unit.uniform_factors(samples, slope);
    }
  }
  return {};
}

}  // namespace

FactorsAtOnce many_factors(const FactorDraw& draw, const Sample& first, unsigned thread_bits) {
  if (draw.per() == DrawPer::launch) {
    FactorsAtOnce same;
    same.fill(static_cast<std::uint64_t>(draw.factor(first)));
    return same;
  }
  FactorsAtOnce factors = factors_in_lanes(draw, first, thread_bits);
  const std::size_t thread_mask = (std::size_t{1} << thread_bits) - 1;
  for (std::size_t i = 0; i < factors.size(); ++i) {
    if (factors[i] != 0) {
      factors[i] = static_cast<std::uint64_t>(draw.counted(DrawnFactor{factors[i]}));
      continue;
    }
    const WorkGroupId work_group{number_of(first.work_group) + (i >> thread_bits)};
    const auto thread = static_cast<std::uint32_t>(first.thread + (i & thread_mask));
    factors[i] = static_cast<std::uint64_t>(draw.factor({first.launch, work_group, thread}));
  }
  return factors;
}

}  // namespace gdsim
