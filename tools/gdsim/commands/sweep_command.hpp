#pragma once

#include "commands/command.hpp"

namespace gdsim::cli {

/// `gdsim sweep`: runs a scenario at many points and writes a table, a picture or a store; runs shards and merges them.
Command sweep_command();

}  // namespace gdsim::cli
