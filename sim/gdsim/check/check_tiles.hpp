#pragma once

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/workload/kernel.hpp>

#include <string>
#include <vector>

namespace gdsim {

/// Why the kernel's program cannot have this step `tiles` at `field`, whatever its device; bodies are checked only for
/// steps that they may not have.
Issues check_tiles(const Tiles& tiles, const Kernel& kernel, const std::string& field);

/// Kernels that name the same list of tiles share it: their declarations must agree.
Issues check_tile_lists(const std::vector<Kernel>& kernels);

}  // namespace gdsim
