#pragma once

#include <gdsim/scenario/device/model_names.hpp>
#include <gdsim/yaml/yaml_node.hpp>

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace gdsim {

class ModelLibrary;

/// Explains why a name is no model's: several models fit, it is a product without a model, or none fits, in which case
/// the nearest are listed: by family, then by number of cores. Adds a replacement, as an option or as a line of the
/// file that contains `reference`, and for another number of cores the line `device: {base: cc-8.9, cores: 46}`.
std::string unknown_model_text(const YamlNode& reference, std::string_view key, const ModelMatch& found,
                               const ModelLibrary& models);

/// Explains that a name is that of a model and of a device file beside, and how each is written.
std::string model_and_file_text(const YamlNode& reference, std::string_view key, const std::string& model,
                                const std::filesystem::path& beside);

/// Reports that no folder has a model, and lists the folders.
std::string no_models_text(const std::vector<std::filesystem::path>& folders);

}  // namespace gdsim
