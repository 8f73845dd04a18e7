#pragma once

#include "commands/command.hpp"

namespace gdsim::cli {

/// `gdsim infer`: which rules of dispatch made a log, or give a series of occupancies.
Command infer_command();

}  // namespace gdsim::cli
