#pragma once

#include "commands/command.hpp"

namespace gdsim::cli {

/// `gdsim devices`: lists the device models, or one model with all its numbers and their sources.
Command devices_command();

}  // namespace gdsim::cli
