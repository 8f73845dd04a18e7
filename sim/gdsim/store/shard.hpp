#pragma once

#include <cstdint>

namespace gdsim {

/// One of several parts of a study, counted from 1.
struct Shard {
  std::uint64_t number = 1;
  std::uint64_t count = 1;
};

/// Returns the number, from 0, of the shard that runs the point at this place of the study: the sum of the place's
/// digits in base `shards`, modulo `shards`. Of each `shards` successive points, every shard gets one, in an order that
/// changes each time (the Thue-Morse sequence if there are two): costs that follow the axes, or alternate along them,
/// are shared equally. Thread-safe, as is points_of().
std::uint64_t shard_of(std::uint64_t place, std::uint64_t shards);

/// Returns the number of points, out of `points`, that the shard runs.
std::uint64_t points_of(const Shard& shard, std::uint64_t points);

}  // namespace gdsim
