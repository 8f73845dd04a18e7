#pragma once

#include <gdsim/base/ids.hpp>
#include <gdsim/base/quantity.hpp>

#include <cstdint>
#include <vector>

namespace gdsim {

/// What connects devices of one run: each has one port that sends and one that receives, both with this bandwidth.
struct DeviceLink {
  std::vector<std::uint32_t> between;  ///< numbers of devices, ascending, at least two
  std::uint64_t bandwidth = 0;         ///< bytes per second, of each port
  Duration latency;                    ///< of each transfer, before its bytes flow
};

/// What the members of a collective have in the end.
enum class CollectiveKind : std::uint8_t { all_reduce, all_gather, reduce_scatter, broadcast };

/// How they exchange it.
enum class CollectiveAlgorithm : std::uint8_t { ring, tree };

/// Kernels on several devices that hold their cores while they exchange data: a launch on each member.
struct Collective {
  CollectiveKind kind{};
  CollectiveAlgorithm algorithm{};
  Bytes bytes;                         ///< of the whole buffer
  std::vector<std::uint32_t> devices;  ///< numbers of the members, in the order of the ring
  std::vector<LaunchId> launches;      ///< by member
};

}  // namespace gdsim
