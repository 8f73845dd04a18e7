#include "options/options.hpp"

#include <gdsim/base/diagnostic.hpp>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <utility>

namespace gdsim::cli {

bool Options::has(std::string_view name) const {
  return std::any_of(given_.begin(), given_.end(), [&](const Given& given) { return given.name == name; });
}

std::optional<std::string> Options::value(std::string_view name) const {
  const auto all = values(name);
  if (all.empty()) return std::nullopt;
  return all.back();
}

std::vector<std::string> Options::values(std::string_view name) const {
  std::vector<std::string> all;
  for (const Given& given : given_)
    if (given.name == name) all.insert(all.end(), given.values.begin(), given.values.end());
  return all;
}

namespace {

namespace fs = std::filesystem;

void add_from_environment(std::vector<fs::path>& folders) {
  const char* value = std::getenv("GDSIM_MODELS");
  std::string rest = value != nullptr ? value : "";
  while (!rest.empty()) {
    const std::string folder = rest.substr(0, rest.find(':'));
    rest.erase(0, folder.size() + 1);
    if (!folder.empty()) folders.emplace_back(folder);
  }
}

/// Returns `share/gdsim/models` beside the `bin` folder of this program. A build has a link there to the models of its
/// source.
fs::path installed_models() {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  return error ? fs::path() : program.parent_path().parent_path() / "share" / "gdsim" / "models";
}

}  // namespace

std::vector<fs::path> model_folders(const Options& options) {
  std::vector<fs::path> folders;
  for (const std::string& folder : options.values("models")) {
    if (!fs::is_directory(folder)) throw UsageError("--models: there is no folder " + folder);
    folders.emplace_back(folder);
  }
  add_from_environment(folders);
  if (fs::path folder = installed_models(); !folder.empty()) folders.push_back(std::move(folder));
  return folders;
}

}  // namespace gdsim::cli
