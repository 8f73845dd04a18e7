#pragma once

#include "commands/command.hpp"

namespace gdsim::cli {

/// `gdsim calibrate`: parameters of a scenario or its device, fitted to measured times.
Command calibrate_command();

}  // namespace gdsim::cli
