#pragma once

#include "commands/command.hpp"

namespace gdsim::cli {

/// `gdsim diff`: what differs between two runs.
Command diff_command();

}  // namespace gdsim::cli
