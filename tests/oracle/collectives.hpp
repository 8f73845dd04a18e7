#pragma once

#include <gdsim/workload/workload.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

// The transfers between the devices of a collective, round by round.

namespace gdsim::oracle {

/// Bytes from one device to another.
struct Hop {
  std::size_t from = 0;
  std::size_t to = 0;
  std::int64_t bytes = 0;
};

/// Returns the rounds. In a ring, all members send their part to the next one in every round; each part goes to all
/// others once, and for all_reduce twice. In a binary tree, member i has the children 2i + 1 and 2i + 2: all bytes go
/// down level by level from the first member; for all_reduce, they go up before.
std::vector<std::vector<Hop>> rounds_of(const Collective& collective);

}  // namespace gdsim::oracle
