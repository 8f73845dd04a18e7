#pragma once

#include <gdsim/base/quantity.hpp>

#include <cstdint>

namespace gdsim {

/// The engines that copy between host and device beside the cores. Each does one copy at a time, at the full
/// bandwidth. With several, they serve the directions in turn: even ones host to device, odd ones device to host;
/// a single engine serves both.
struct CopyRule {
  std::uint32_t engines = 1;
  BytesPerSecond bandwidth;  ///< of one engine
  Picoseconds latency;       ///< of each copy, before its bytes pass
};

}  // namespace gdsim
