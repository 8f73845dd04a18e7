#pragma once

#include "commands/command.hpp"

namespace gdsim::cli {

/// `gdsim devices`: the models there are, or one of them with all its numbers and their sources.
Command devices_command();

}  // namespace gdsim::cli
