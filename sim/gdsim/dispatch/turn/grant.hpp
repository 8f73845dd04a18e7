#pragma once

#include <gdsim/base/ids.hpp>
#include <gdsim/fit/engine_sets.hpp>

#include <cstdint>

namespace gdsim {

/// A decision of the dispatcher: these threads of this work-group are placed on this core.
struct Grant {
  LaunchId launch{};
  WorkGroupId work_group{};
  CoreId core{};
  CoreId first_core{};                  ///< of the work-group
  std::uint32_t threads = 0;            ///< placed now
  std::uint32_t group_threads = 0;      ///< of the work-group
  std::uint32_t first_context = 0;      ///< of the run that it holds on its core, where contexts come in runs
  EngineSet engines = EngineSet::none;  ///< on the core, if the simulation distinguishes engines
  bool opens_core = false;              ///< its first threads on this core: its group resources there were taken, too
  bool opens_group = false;             ///< its first threads
  bool fills_group = false;             ///< now all its threads are placed
};

}  // namespace gdsim
