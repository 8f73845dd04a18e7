#pragma once

#include <filesystem>
#include <string>

namespace gdsim::testing {

/// Rewrites a file of a run's folder, and updates its entry in `summary.json`.
void rewrite_listed(const std::filesystem::path& run, const std::string& name, const std::string& text);

/// Removes a file of a run's folder and its entry in `summary.json`.
void remove_listed(const std::filesystem::path& run, const std::string& name);

}  // namespace gdsim::testing
