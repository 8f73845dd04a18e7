#pragma once

#include "options/command.hpp"

#include <span>
#include <string>

namespace gdsim::cli {

/// These return the text of a file that the shell sources. It completes commands, options, the values of options with a
/// list of values, and files elsewhere.
std::string bash_completion(std::span<const Command> commands);
std::string zsh_completion(std::span<const Command> commands);
std::string fish_completion(std::span<const Command> commands);

}  // namespace gdsim::cli
