#pragma once

#include "commands/command.hpp"

namespace gdsim::cli {

/// `gdsim probe-model`: makes a device model from measurements of tools/probe.
Command probe_model_command();

}  // namespace gdsim::cli
