#pragma once

#include "options/command.hpp"

#include <span>
#include <string>

namespace gdsim::cli {

/// The manual page of the whole program, gdsim(1), in roff.
std::string man_page(std::span<const Command> commands);

/// The manual page of one command: gdsim-run(1).
std::string man_page(const CommandSpec& command);

}  // namespace gdsim::cli
