#pragma once

#include "options.hpp"

#include <filesystem>
#include <vector>

namespace gdsim::cli {

/// Where device models are looked up, in order: --models, GDSIM_MODELS (folders separated by ':'), the
/// installed share, the source tree.
std::vector<std::filesystem::path> model_folders(const Options& options);

}  // namespace gdsim::cli
