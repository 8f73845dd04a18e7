#pragma once

#include <gdsim/yaml/yaml_node.hpp>

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace gdsim {

/// Explains why a name is not a known model's: several models fit, or none, in which case the nearest are listed. Adds
/// a replacement, as an option or as a line of the file that contains `reference`.
std::string unknown_model_text(const YamlNode& reference, std::string_view key, const std::vector<std::string>& found);

/// Reports that no folder has a model, and lists the folders.
std::string no_models_text(const std::vector<std::filesystem::path>& folders);

}  // namespace gdsim
