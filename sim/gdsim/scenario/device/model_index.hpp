#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace gdsim {

/// Finds the file of a model by its name. The model NAME is the file NAME.yaml in one of the folders or in a subfolder;
/// the first folder that has it wins, and a folder's own file precedes its subfolders'. A known name is found by
/// testing a few paths: no model is opened, and models are listed only on request. Files that appear later may or may
/// not be found. Not thread-safe.
class ModelIndex {
 public:
  explicit ModelIndex(std::vector<std::filesystem::path> folders);

  /// Returns the file of a model, or nullopt if no folder has it.
  std::optional<std::filesystem::path> find(const std::string& name) const;
  /// Returns the file NAME.yaml in the subfolder `roots` of the first folder that has it. Bases of families are no
  /// models.
  std::optional<std::filesystem::path> find_root(const std::string& name) const;
  /// Returns every model by its name.
  const std::map<std::string, std::filesystem::path>& all() const;
  const std::vector<std::filesystem::path>& folders() const { return folders_; }

 private:
  /// Returns the subfolders of folders_[number] that may hold models, in their order.
  const std::vector<std::filesystem::path>& inner_folders(std::size_t number) const;

  std::vector<std::filesystem::path> folders_;
  /// By folder, once it was listed.
  mutable std::vector<std::optional<std::vector<std::filesystem::path>>> inner_;
  mutable std::optional<std::map<std::string, std::filesystem::path>> all_;
};

/// Returns the YAML files of a folder, in a fixed order; empty if the folder cannot be listed.
std::vector<std::filesystem::path> yaml_files(const std::filesystem::path& folder);

/// Returns true if the path exists. Returns false for a path that cannot exist: too long, or through a file that is no
/// folder.
bool is_there(const std::filesystem::path& file);

/// The folder of vendors' terms next to the models. It holds no models.
inline constexpr const char* kTermsFolder = "terms";
/// The file of a folder of models that has other names of them, and of products that have no model.
inline constexpr const char* kNamesFile = "names.csv";
/// The folder of the bases of families. It holds no models either.
inline constexpr const char* kRootsFolder = "roots";

}  // namespace gdsim
