#pragma once

#include <string>

namespace gdsim::cli {

/// The version alone: `0.3.0`.
const char* version_number();

/// What `gdsim --version` prints: `gdsim 0.3.0 (commit 1a2b3c4d5e6f)`; `-modified` after the commit means that the
/// sources differed from it. The commit is missing if the sources were not in a Git repository.
std::string version_text();

/// The environment variable by which `gdsim` passes its version_text() to the `gdsim-all` that it starts.
inline constexpr const char* kVersionOfStarter = "GDSIM_VERSION_OF_STARTER";

}  // namespace gdsim::cli
