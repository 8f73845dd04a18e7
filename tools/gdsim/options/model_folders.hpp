#pragma once

#include "options/options.hpp"

#include <filesystem>
#include <vector>

namespace gdsim::cli {

/// Returns the folders in which device models are looked up, in order: --models, GDSIM_MODELS (folders separated by
/// ':'), and `share/gdsim/models` beside the program's `bin`. The last two are listed even if they do not exist.
std::vector<std::filesystem::path> model_folders(const Options& options);

}  // namespace gdsim::cli
