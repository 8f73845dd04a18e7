#pragma once

#include <gdsim/base/quantity.hpp>

#include <cstdint>

namespace gdsim {

enum class CopyDirection : std::uint8_t { host_to_device, device_to_host };

/// Bytes that pass between host and device.
struct Copy {
  Bytes bytes;
  CopyDirection direction{};

  friend bool operator==(const Copy&, const Copy&) = default;
};

}  // namespace gdsim
