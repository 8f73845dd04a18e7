#pragma once

#include "commands/command.hpp"

namespace gdsim::cli {

/// `gdsim check`: runs scenario files and evaluates what they expect.
Command check_command();

}  // namespace gdsim::cli
