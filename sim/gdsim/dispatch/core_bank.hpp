#pragma once

#include <gdsim/fit/core.hpp>
#include <gdsim/fit/engine_sets.hpp>

#include <vector>

namespace gdsim {

/// The cores of a device and their shared state.
struct CoreBank {
  std::vector<Core> cores;
  EngineSets& engine_sets;  ///< the engines of their threads
};

}  // namespace gdsim
