#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace gdsim {

/// One level at which a device's cores are grouped, e.g. 8 XCDs. Cores are numbered group by group.
struct CoreGroupLevel {
  std::string name;         ///< `slice`, `GPC`, `XCD`, `shader engine`
  std::uint32_t count = 0;  ///< groups within each group of the level above; their sizes differ by at most one core
};

/// From the outermost level inwards; empty: one group of all cores.
using CoreGroups = std::vector<CoreGroupLevel>;

}  // namespace gdsim
