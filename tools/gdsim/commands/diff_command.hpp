#pragma once

#include "commands/command.hpp"

namespace gdsim::cli {

/// `gdsim diff`: lists the differences between two runs.
Command diff_command();

}  // namespace gdsim::cli
