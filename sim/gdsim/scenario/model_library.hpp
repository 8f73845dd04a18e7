#pragma once

#include <gdsim/scenario/source_files.hpp>
#include <gdsim/scenario/yaml_values.hpp>

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gdsim {

/// Lays one entry on a mapping: a mapping on a mapping key by key, or on a list if its keys are numbers of entries
/// there; anything else instead of what was there.
void overlay_entry(YamlNode& under, const YamlEntry& entry);

/// Finds models by name in a list of folders, the first that has it wins. A model NAME is a file NAME.yaml
/// in such a folder or in a folder of it.
class ModelLibrary {
 public:
  ModelLibrary(std::vector<std::filesystem::path> folders, SourceFiles& sources);

  /// The file of the model that `reference` names: a name, or a path (with a '/' or ending in .yaml) taken
  /// relative to `near`. Nothing if there is none: the problem, with the likeliest name, is added.
  std::optional<std::filesystem::path> locate(const YamlNode& reference, std::string_view key,
                                              const std::filesystem::path& near, const ValueReader& values) const;

  /// The mapping of a device file or of an inline device, its `base:` chain merged in key by key. What
  /// overrides a number also drops the base's source of it.
  std::optional<YamlNode> resolve(const YamlNode& device, const std::filesystem::path& near, const ValueReader& values);

  /// The vendor's words by name: the file `terms/NAME.yaml` of the first folder that has it.
  std::optional<YamlNode> resolve_terms(const YamlNode& reference, const ValueReader& values);

  /// The names of all models in the folders, sorted.
  std::vector<std::string> names() const;

 private:
  std::optional<YamlNode> load(const YamlNode& reference, std::string_view key, const std::filesystem::path& near,
                               const ValueReader& values);
  std::optional<YamlNode> merge_base(YamlNode device, const std::filesystem::path& near, const ValueReader& values);

  std::vector<std::filesystem::path> folders_;
  std::map<std::string, std::filesystem::path> files_;  ///< by model name
  SourceFiles& sources_;
  std::vector<std::filesystem::path> chain_;  ///< files being resolved, to find a base that leads back
};

}  // namespace gdsim
