#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace gdsim {

/// The device for which a scenario of several devices is being read; launches of the others are remote.
struct OwnDevice {
  std::vector<std::string> names;  ///< of all devices, in the order of the file
  std::uint32_t number = 0;        ///< of this one
  std::uint32_t sub_group = 32;    ///< work-items of a thread if the scenario gives no number: the device's smallest

  const std::string& name() const { return names[number]; }
};

}  // namespace gdsim
