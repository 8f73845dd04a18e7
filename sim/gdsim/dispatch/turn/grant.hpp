#pragma once

#include <gdsim/base/ids.hpp>
#include <gdsim/fit/engine_sets.hpp>

#include <cstdint>

namespace gdsim {

/// A decision of a dispatcher: these threads of this work-group are placed on this core.
struct Grant {
  LaunchId launch{};
  WorkGroupId work_group{};
  CoreId core{};
  CoreId first_core{};                  ///< the core of the work-group's first threads
  std::uint32_t threads = 0;            ///< number of threads placed now
  std::uint32_t group_threads = 0;      ///< number of threads of the work-group
  std::uint32_t first_context = 0;      ///< of its contiguous range of contexts, if contexts are held in ranges
  EngineSet engines = EngineSet::none;  ///< on the core, if the simulation distinguishes engines
  bool opens_core = false;              ///< true for its first threads on this core, which take its group resources
  bool opens_group = false;             ///< true for its first threads
  bool fills_group = false;             ///< true if all its threads are placed now
};

}  // namespace gdsim
