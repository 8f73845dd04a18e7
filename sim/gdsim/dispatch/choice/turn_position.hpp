#pragma once

#include <gdsim/base/ids.hpp>
#include <gdsim/base/quantity.hpp>

#include <utility>

namespace gdsim {

/// A launch with its ready time. A turn names launches in this order.
using TurnPosition = std::pair<SimTime, LaunchId>;

}  // namespace gdsim
