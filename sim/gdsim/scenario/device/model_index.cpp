#include <gdsim/scenario/device/model_index.hpp>

#include <algorithm>
#include <system_error>
#include <utility>

namespace gdsim {
namespace {

namespace fs = std::filesystem;

constexpr const char* kSuffix = ".yaml";

/// Returns the entries of a folder that satisfy `is_wanted`, in a fixed order.
template <class IsWanted>
std::vector<fs::path> listed(const fs::path& folder, IsWanted is_wanted) {
  std::vector<fs::path> found;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error))
    if (is_wanted(*entry)) found.push_back(entry->path());
  std::sort(found.begin(), found.end());
  return found;
}

/// Returns true if the text is a file name. A text with a `/` is none, though it could lead to a file.
bool is_file_name(const std::string& name) {
  return !name.empty() && name.find('/') == std::string::npos && name.find('\0') == std::string::npos;
}

}  // namespace

bool is_there(const fs::path& file) {
  std::error_code none;
  return fs::exists(file, none);
}

std::vector<fs::path> yaml_files(const fs::path& folder) {
  return listed(folder, [](const fs::directory_entry& entry) { return entry.path().extension() == kSuffix; });
}

ModelIndex::ModelIndex(std::vector<fs::path> folders) : folders_(std::move(folders)), inner_(folders_.size()) {}

const std::vector<fs::path>& ModelIndex::inner_folders(std::size_t number) const {
  auto& inner = inner_[number];
  if (!inner)
    inner = listed(folders_[number], [](const fs::directory_entry& entry) {
      std::error_code error;
      return entry.is_directory(error) && entry.path().filename() != kTermsFolder &&
             entry.path().filename() != kRootsFolder;
    });
  return *inner;
}

std::optional<fs::path> ModelIndex::find(const std::string& name) const {
  if (all_) {
    const auto found = all_->find(name);
    return found != all_->end() ? std::optional(found->second) : std::nullopt;
  }
  if (!is_file_name(name)) return std::nullopt;
  const std::string file_name = name + kSuffix;
  for (std::size_t i = 0; i < folders_.size(); ++i) {
    if (fs::path file = folders_[i] / file_name; is_there(file)) return file;
    for (const fs::path& inner : inner_folders(i))
      if (fs::path file = inner / file_name; is_there(file)) return file;
  }
  return std::nullopt;
}

std::optional<fs::path> ModelIndex::find_root(const std::string& name) const {
  if (!is_file_name(name)) return std::nullopt;
  for (const fs::path& folder : folders_)
    if (fs::path file = folder / kRootsFolder / (name + kSuffix); is_there(file)) return file;
  return std::nullopt;
}

const std::map<std::string, fs::path>& ModelIndex::all() const {
  if (all_) return *all_;
  all_.emplace();
  for (std::size_t i = 0; i < folders_.size(); ++i) {
    for (const fs::path& file : yaml_files(folders_[i])) all_->emplace(file.stem().string(), file);
    for (const fs::path& inner : inner_folders(i))
      for (const fs::path& file : yaml_files(inner)) all_->emplace(file.stem().string(), file);
  }
  return *all_;
}

}  // namespace gdsim
