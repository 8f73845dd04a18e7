#pragma once

#include "commands/command.hpp"

namespace gdsim::cli {

/// `gdsim explain`: explains the duration of a run by further runs, each with one thing changed.
Command explain_command();

}  // namespace gdsim::cli
