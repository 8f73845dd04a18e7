#pragma once

#include <gdsim/base/quantity.hpp>

#include <cstdint>
#include <optional>
#include <string>

namespace gdsim {

/// What steps need to know of the device: the work-items of a thread and the minimum transfer, which convert elements
/// in memory to bytes, and whose matrix instructions it has.
struct AccessSizes {
  std::uint32_t lanes = 1;      ///< work-items of a full thread
  std::optional<Bytes> line{};  ///< nullopt: the device's model has none
  bool is_known = true;         ///< false: the sub-group size or the device's memory could not be read
  std::string vendor{};         ///< empty: not known
};

}  // namespace gdsim
