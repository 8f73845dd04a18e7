#pragma once

#include <gdsim/base/ids.hpp>
#include <gdsim/base/quantity.hpp>

#include <utility>

namespace gdsim {

/// A launch with its ready time: the order in which a turn names launches.
using TurnPosition = std::pair<SimTime, LaunchId>;

}  // namespace gdsim
