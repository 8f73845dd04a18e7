#pragma once

#include <gdsim/base/quantity.hpp>

#include <cstdint>
#include <optional>

namespace gdsim {

/// Converts elements in memory to bytes, from the work-items of a thread and the device's minimum transfer.
struct AccessSizes {
  std::uint32_t lanes = 1;      ///< work-items of a full thread
  std::optional<Bytes> line{};  ///< nullopt: the device's model has none
  bool is_known = true;         ///< false: the sub-group size or the device's memory could not be read
};

}  // namespace gdsim
