#pragma once

#include <gdsim/base/quantity.hpp>

#include <cstdint>
#include <optional>

namespace gdsim {

/// What becomes of elements in memory: bytes, by the work-items of a thread and what the device moves at least.
struct AccessSizes {
  std::uint32_t lanes = 1;      ///< work-items of a full thread
  std::optional<Bytes> line{};  ///< nothing: the device's model has none
  bool is_known = true;         ///< false: the sub-group size could not be read, or no memory of the device
};

}  // namespace gdsim
