#pragma once

#include "commands/command.hpp"

namespace gdsim::cli {

/// `gdsim serve`: serves the page of a scenario and updates it when the file changes.
Command serve_command();

}  // namespace gdsim::cli
