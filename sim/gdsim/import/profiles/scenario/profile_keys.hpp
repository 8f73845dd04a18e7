#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gdsim {

/// Names of kernels for a scenario: short, each once, none that a launch's own name (`k#2`) could be.
std::vector<std::string> profile_keys(const std::vector<std::string>& full_names);

}  // namespace gdsim
