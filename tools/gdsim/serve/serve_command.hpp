#pragma once

#include "commands/command.hpp"

namespace gdsim::cli {

/// `gdsim serve`: the page of a scenario, which follows the file as it is edited.
Command serve_command();

}  // namespace gdsim::cli
