#pragma once

#include <gdsim/scenario/scenario.hpp>

#include <span>

namespace gdsim {

/// The devices of a scenario, each as a scenario: itself if it has one device.
inline std::span<const Scenario> devices_of(const Scenario& scenario) {
  if (scenario.devices.empty()) return std::span(&scenario, 1);
  return scenario.devices;
}

}  // namespace gdsim
