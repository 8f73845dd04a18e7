#pragma once

#include "commands/command.hpp"

namespace gdsim::cli {

/// `gdsim calibrate`: fits parameters of a scenario or its device to measured times.
Command calibrate_command();

}  // namespace gdsim::cli
