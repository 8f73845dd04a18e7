#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace gdsim {

/// Which file is the model of a name. The model NAME is a file NAME.yaml in one of the folders, or in a folder of it;
/// the first folder that has it wins, and of one folder its own file. So a name that is known is found by asking for a
/// few files: no model is opened, and no list of models is made unless one is asked for. Files that appear later may be
/// found or not. For one thread at a time.
class ModelIndex {
 public:
  explicit ModelIndex(std::vector<std::filesystem::path> folders);

  /// Nothing if no folder has it.
  std::optional<std::filesystem::path> find(const std::string& name) const;
  /// The file NAME.yaml of the folder `roots` of the first folder that has it: what families are based on is no model.
  std::optional<std::filesystem::path> find_root(const std::string& name) const;
  /// Every model by its name.
  const std::map<std::string, std::filesystem::path>& all() const;
  const std::vector<std::filesystem::path>& folders() const { return folders_; }

 private:
  /// The folders of folders_[number] that may hold models, in their order.
  const std::vector<std::filesystem::path>& inner_folders(std::size_t number) const;

  std::vector<std::filesystem::path> folders_;
  /// Of each folder, once it was listed.
  mutable std::vector<std::optional<std::vector<std::filesystem::path>>> inner_;
  mutable std::optional<std::map<std::string, std::filesystem::path>> all_;
};

/// The YAML files of a folder, in a fixed order; none of a folder that cannot be listed.
std::vector<std::filesystem::path> yaml_files(const std::filesystem::path& folder);

/// Whether something has this name; also for a name that no file can have: too long, or through what is no folder.
bool is_there(const std::filesystem::path& file);

/// The folder of vendors' words beside the models, which holds no models.
inline constexpr const char* kTermsFolder = "terms";
/// The folder of what families are based on, which holds none either.
inline constexpr const char* kRootsFolder = "roots";

}  // namespace gdsim
