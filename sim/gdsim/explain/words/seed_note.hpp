#pragma once

#include <gdsim/base/quantity.hpp>
#include <gdsim/device/device_spec.hpp>
#include <gdsim/scenario/read_scenario.hpp>

#include <cstddef>
#include <optional>
#include <span>
#include <string>

namespace gdsim {

/// How many other seeds are tried: few, since each costs a run.
inline constexpr std::size_t kOtherSeeds = 4;

/// Whether a run depends on seeds: the work-groups of a launched kernel are drawn.
bool draws_at_random(const Scenario& scenario);

/// How far the duration moves over `baseline` and the runs with other seeds, of which those that did not complete are
/// nothing: savings smaller than that may be chance. Nothing if no other run completed.
std::optional<std::string> seed_note(Duration baseline, std::span<const std::optional<Duration>> others,
                                     const Terms& terms);

}  // namespace gdsim
