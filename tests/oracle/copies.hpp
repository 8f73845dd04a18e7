#pragma once

#include "oracle/world.hpp"

#include <optional>

// Copies between host and device, on engines of their own. Each engine does one copy at a time, in the order in which
// copies are ready. With several engines, even ones copy to the device and odd ones to the host; a single one does
// both.

namespace gdsim::oracle {

/// Begins copies that are ready on engines that are free.
void begin_copies(World& world);
/// Begins the copy now.
void begin_copy(World& world, std::size_t launch);
/// Returns the end of the copy; nullopt if it is stopped.
std::optional<Time> end_of_copy(const World& world, std::size_t launch);
void end_copy(World& world, std::size_t launch);

}  // namespace gdsim::oracle
