#pragma once

#include "commands/command.hpp"

namespace gdsim::cli {

/// `gdsim report`: draws a run as an HTML page.
Command report_command();

}  // namespace gdsim::cli
