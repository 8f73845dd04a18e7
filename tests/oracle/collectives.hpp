#pragma once

#include <gdsim/workload/workload.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

// What the devices of a collective send to each other, round by round.

namespace gdsim::oracle {

/// Bytes from one device to another.
struct Hop {
  std::size_t from = 0;
  std::size_t to = 0;
  std::int64_t bytes = 0;
};

/// A ring: all send their part to the next one in every round; each part goes to all others once, of all_reduce twice.
/// A binary tree, of which member i has the children 2i + 1 and 2i + 2: all bytes go down level by level from the first
/// member; of all_reduce, up before.
std::vector<std::vector<Hop>> rounds_of(const Collective& collective);

}  // namespace gdsim::oracle
