#pragma once

#include <gdsim/base/decimal.hpp>
#include <gdsim/base/ids.hpp>

#include <cstdint>
#include <optional>
#include <vector>

namespace gdsim {

/// All durations of one work-group are multiplied by `factor`.
struct WorkGroupFactor {
  WorkGroupId work_group{};
  Decimal factor;
};

/// How factors are drawn: mean 1, standard deviation `cv`.
enum class Distribution : std::uint8_t { normal, lognormal, uniform };

/// Who draws: every work-group once for all its threads, or every thread for itself.
enum class DrawPer : std::uint8_t { work_group, thread };

/// Factors drawn at random, the same for the same seed.
struct Draw {
  Distribution distribution = Distribution::normal;
  Decimal cv;  ///< coefficient of variation: standard deviation / mean
  DrawPer per = DrawPer::work_group;
  std::uint64_t seed = 0;
};

/// How the work of a kernel's work-groups differs.
struct Variation {
  std::vector<WorkGroupFactor> factors;  ///< ascending work-groups; they win over the draw
  std::optional<Draw> draw;
};

}  // namespace gdsim
