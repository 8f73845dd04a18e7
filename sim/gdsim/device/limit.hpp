#pragma once

#include <cstdint>
#include <optional>

namespace gdsim {

/// A number of something of which there is only so much, or as much as anyone wants.
struct Limit {
  std::optional<std::uint64_t> count;  ///< nothing: unlimited
};

}  // namespace gdsim
