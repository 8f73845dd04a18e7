#pragma once

#include <gdsim/run/governed_clock.hpp>
#include <gdsim/scenario/scenario.hpp>

namespace gdsim {

/// Throws `error` at the place of the device's `power` in the scenario that was run.
[[noreturn]] inline void throw_in_place(const TooManyClockChanges& error, const Scenario& scenario) {
  const Scenario& own = scenario.devices.empty() ? scenario : scenario.devices[error.device()];
  Diagnostic placed = own.power_place;
  placed.message = "period: " + error.complaint();
  throw InputError({std::move(placed)});
}

}  // namespace gdsim
