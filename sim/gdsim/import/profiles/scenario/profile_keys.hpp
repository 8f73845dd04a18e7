#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gdsim {

/// Returns names of kernels for a scenario: short, unique, and different from any launch's default name (`k#2`).
std::vector<std::string> profile_keys(const std::vector<std::string>& full_names);

}  // namespace gdsim
