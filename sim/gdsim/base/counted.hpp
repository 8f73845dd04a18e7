#pragma once

#include <cstdint>
#include <string>

namespace gdsim {

/// Returns a count with its noun: `1 core`, `2 cores`.
inline std::string counted(std::uint64_t count, const std::string& noun) {
  return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

}  // namespace gdsim
