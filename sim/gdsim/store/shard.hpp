#pragma once

#include <cstdint>

namespace gdsim {

/// One of several parts of a study, counted from 1.
struct Shard {
  std::uint64_t number = 1;
  std::uint64_t count = 1;
};

/// The number of the shard that runs the point at this place of the study, counted from 0: the sum of the place's
/// digits in base `shards`, modulo `shards`. Every shard gets one of each `shards` points in a row, in an order that
/// changes from row to row (the Thue-Morse sequence if there are two): costs that follow the axes, or alternate along
/// them, are shared equally. Thread-safe, as is points_of().
std::uint64_t shard_of(std::uint64_t place, std::uint64_t shards);

/// The number of points, out of `points`, that the shard runs.
std::uint64_t points_of(const Shard& shard, std::uint64_t points);

}  // namespace gdsim
