#pragma once

#include <gdsim/yaml/yaml_node.hpp>

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace gdsim {

/// Why a name is no model's, of those that are known: it fits to several, or to none, and then which is nearest. With
/// what can be written instead, as an option or as a line of the file in which `reference` stands.
std::string unknown_model_text(const YamlNode& reference, std::string_view key, const std::vector<std::string>& found);

/// That no folder has a model, and which were looked in.
std::string no_models_text(const std::vector<std::filesystem::path>& folders);

}  // namespace gdsim
