#pragma once

#include <gdsim/run/governed_clock.hpp>
#include <gdsim/scenario/read_scenario.hpp>

namespace gdsim {

/// The same with the place in the scenario that was run, of the device whose clock changes too often.
[[noreturn]] inline void throw_in_place(const TooManyClockChanges& error, const Scenario& scenario) {
  const Scenario& own = scenario.devices.empty() ? scenario : scenario.devices[error.device()];
  Diagnostic placed = own.power_place;
  placed.message = "period: " + error.complaint();
  throw InputError({std::move(placed)});
}

}  // namespace gdsim
