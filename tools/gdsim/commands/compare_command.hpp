#pragma once

#include "commands/command.hpp"

namespace gdsim::cli {

/// `gdsim compare`: a run beside what was measured.
Command compare_command();

}  // namespace gdsim::cli
