#pragma once

#include "options/command.hpp"

#include <string_view>
#include <vector>

namespace gdsim::cli {

// Under which commands are listed.
inline constexpr std::string_view kSeeWhatHappens = "See what happens";
inline constexpr std::string_view kMakeItFaster = "Make it faster";
inline constexpr std::string_view kCheckIt = "Compare it with what is known";
inline constexpr std::string_view kLookUp = "Look up, and begin with what you have";

/// Returns the commands that `gdsim` has without `gdsim-all`.
std::vector<Command> first_commands();

}  // namespace gdsim::cli
