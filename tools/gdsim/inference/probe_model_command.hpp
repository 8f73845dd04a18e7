#pragma once

#include "commands/command.hpp"

namespace gdsim::cli {

/// `gdsim probe-model`: a device model of what tools/probe measured.
Command probe_model_command();

}  // namespace gdsim::cli
