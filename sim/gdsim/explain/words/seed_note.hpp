#pragma once

#include <gdsim/base/quantity.hpp>
#include <gdsim/device/device_spec.hpp>
#include <gdsim/scenario/scenario.hpp>

#include <cstddef>
#include <optional>
#include <span>
#include <string>

namespace gdsim {

/// How many other seeds are tried: few, since each costs a run.
inline constexpr std::size_t kOtherSeeds = 4;

/// Returns true if a run depends on seeds: the work-groups of a launched kernel are drawn.
bool draws_at_random(const Scenario& scenario);

/// Returns a sentence on the range of `baseline` and the durations with other seeds: smaller savings may be chance.
/// Returns nullopt if one of these runs did not complete: a bound cuts off the longest.
std::optional<std::string> seed_note(Duration baseline, std::span<const std::optional<Duration>> others,
                                     const Terms& terms);

}  // namespace gdsim
