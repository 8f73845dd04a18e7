#pragma once

#include "commands/command.hpp"

#include <span>
#include <string>

namespace gdsim::cli {

/// Completion of commands, options, and the values of those options whose values are a list; files elsewhere.
/// Each is the text of one file that the shell sources.
std::string bash_completion(std::span<const Command> commands);
std::string zsh_completion(std::span<const Command> commands);
std::string fish_completion(std::span<const Command> commands);

}  // namespace gdsim::cli
