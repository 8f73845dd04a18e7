#pragma once

#include <gdsim/base/quantity.hpp>

#include <optional>
#include <string>
#include <vector>

namespace gdsim {

/// One level of the memory hierarchy, shared by all cores.
struct MemoryLevel {
  std::string name;
  std::optional<Bytes> capacity;            ///< what it can keep; nothing only for the last level
  std::optional<BytesPerSecond> bandwidth;  ///< of the whole device; nothing: not limited
  std::optional<StepTime> latency;          ///< from a request to its data, alone on the device
};

/// How fast threads reach global memory.
///
/// A thread has at most `in_flight` bytes under way, so alone it gets in_flight / latency. Of a resident working set
/// W, a level serves min(capacity, W) / W less what faster levels serve; the last serves the rest. Latency and
/// the use of each level's bandwidth are the means over these shares.
struct MemoryRule {
  std::optional<Bytes> in_flight;
  std::optional<BytesPerSecond> core_bandwidth;  ///< of one core
  std::vector<MemoryLevel> levels;               ///< fastest first
};

}  // namespace gdsim
