#pragma once

#include "commands/command.hpp"

namespace gdsim::cli {

/// `gdsim report`: a run as a page to look at.
Command report_command();

}  // namespace gdsim::cli
