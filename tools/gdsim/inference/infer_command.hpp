#pragma once

#include "commands/command.hpp"

namespace gdsim::cli {

/// `gdsim infer`: finds the dispatch rules that reproduce a log or a series of occupancies.
Command infer_command();

}  // namespace gdsim::cli
