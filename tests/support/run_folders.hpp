#pragma once

#include <filesystem>
#include <string>

namespace gdsim::testing {

/// Writes a file of a run's folder anew, and lists it in `summary.json` as it is now.
void rewrite_listed(const std::filesystem::path& run, const std::string& name, const std::string& text);

/// Removes a file of a run's folder, and takes it out of the list in `summary.json`.
void remove_listed(const std::filesystem::path& run, const std::string& name);

}  // namespace gdsim::testing
