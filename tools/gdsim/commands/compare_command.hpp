#pragma once

#include "commands/command.hpp"

namespace gdsim::cli {

/// `gdsim compare`: compares a run with measurements.
Command compare_command();

}  // namespace gdsim::cli
