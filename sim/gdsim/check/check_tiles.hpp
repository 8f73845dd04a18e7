#pragma once

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/workload/kernel.hpp>

#include <string>
#include <vector>

namespace gdsim {

/// Returns why the kernel's program cannot have this step `tiles` at `field` on any device; bodies are checked only for
/// forbidden steps.
Issues check_tiles(const Tiles& tiles, const Kernel& kernel, const std::string& field);

/// Checks that kernels that name the same list of tiles, and so share it, declare it alike.
Issues check_tile_lists(const std::vector<Kernel>& kernels);

}  // namespace gdsim
