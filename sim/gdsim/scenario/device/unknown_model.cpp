#include <gdsim/scenario/device/unknown_model.hpp>

#include <algorithm>
#include <system_error>

namespace gdsim {
namespace {

namespace fs = std::filesystem;

/// `did you mean 'a', 'b' or 'c'?`
std::string candidates_text(const std::vector<std::string>& names) {
  constexpr std::size_t max = 12;
  std::string text = "did you mean ";
  const std::size_t count = std::min(names.size(), max);
  for (std::size_t i = 0; i < count; ++i) text += (i == 0 ? "'" : i + 1 == count ? " or '" : ", '") + names[i] + "'";
  return text + (names.size() > max ? ", ...?" : "?");
}

/// Returns a replacement to write: a line of a file, or an option if there is no file.
std::string replacement(const YamlNode& reference, std::string_view key, const std::string& name) {
  const std::string word(key);
  if (reference.mark.source == nullptr) return "`--" + word + " " + name + "`";
  return reference.mark.source->name().starts_with("--") ? "`" + word + "=" + name + "`"
                                                         : "`" + word + ": " + name + "`";
}

}  // namespace

std::string unknown_model_text(const YamlNode& reference, std::string_view key, const std::vector<std::string>& found) {
  const std::string lists = "`gdsim devices` lists all, `--models DIR` adds a folder";
  if (found.size() > 1)
    return describe(reference) + " is ambiguous, " + std::to_string(found.size()) + " models fit; " +
           candidates_text(found) + " Write " + replacement(reference, key, found.front()) + "; " + lists;
  return "unknown model " + describe(reference) + ";" + (found.empty() ? "" : " " + candidates_text(found)) + " " +
         lists;
}

std::string no_models_text(const std::vector<fs::path>& folders) {
  std::string text = "no folder with models was found; looked in ";
  for (const fs::path& folder : folders) {
    std::error_code none;
    text += (&folder == &folders.front() ? "" : ", ") + folder.lexically_normal().string() +
            (fs::is_directory(folder, none) ? " (no model in it)" : " (no such folder)");
  }
  if (folders.empty()) text += "none";
  return text + ". Name the folder of the models, as in `--models DIR` or `GDSIM_MODELS=DIR`";
}

}  // namespace gdsim
