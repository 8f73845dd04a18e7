#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace gdsim {

/// Of the devices of one scenario, the one for which it is being read: launches of the others are elsewhere.
struct OwnDevice {
  std::vector<std::string> names;  ///< of all devices, in the order of the file
  std::uint32_t number = 0;        ///< of this one
  std::uint32_t sub_group = 32;    ///< work-items of a thread where the scenario names no number: its smallest

  const std::string& name() const { return names[number]; }
};

}  // namespace gdsim
