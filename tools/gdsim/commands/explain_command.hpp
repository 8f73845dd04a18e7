#pragma once

#include "commands/command.hpp"

namespace gdsim::cli {

/// `gdsim explain`: why a run takes as long as it does, by runs with one thing changed each.
Command explain_command();

}  // namespace gdsim::cli
