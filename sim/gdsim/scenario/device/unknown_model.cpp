#include <gdsim/scenario/device/unknown_model.hpp>

#include <gdsim/scenario/device/model_library.hpp>

#include <fmt/format.h>

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

/// The line of a scenario for a product of a family with its own number of cores.
std::string line_of_family(const std::string& family, std::uint32_t cores) {
  return fmt::format("`device: {{base: {}, cores: {}}}`", family, cores);
}

/// `rtx-4090 (128 cores), l40 (142 cores)`: the family's products with the nearest numbers of cores.
std::string nearest_products(const ModelLibrary& models, const std::string& family, std::uint32_t cores) {
  constexpr std::size_t max = 3;
  std::string text;
  std::size_t count = 0;
  for (const std::string& name : models.products_of(family, cores)) {
    if (++count > max) break;
    text += fmt::format("{}{} ({} cores)", text.empty() ? "" : ", ", name, models.cores_of(name));
  }
  return text;
}

std::string no_model_text(const YamlNode& reference, const ModelMatch& found, const ModelLibrary& models) {
  const std::string& family = found.names.front();
  const std::string nearest = nearest_products(models, family, *found.cores);
  return fmt::format("there is no model of {}, which has {} cores of the family {}: write {}{}", describe(reference),
                     *found.cores, family, line_of_family(family, *found.cores),
                     nearest.empty() ? "" : "; its nearest products are " + nearest);
}

/// The first names that are near, and for another number of cores than the first one's the line of its family.
std::string near_text(const ModelMatch& found, const ModelLibrary& models) {
  constexpr std::size_t max = 4;
  std::vector<std::string> names = found.names;
  names.resize(std::min(names.size(), max));
  const std::string family = models.family_of(names.front());
  std::string text = " " + candidates_text(names);
  std::string product = names.front();
  if (product == family)
    if (const auto products = models.products_of(family); !products.empty()) product = products.front();
  if (product != family)
    text += " Another product of its family is written with its own number of cores, as in " +
            line_of_family(family, models.cores_of(product)) + ";";
  return text;
}

}  // namespace

std::string unknown_model_text(const YamlNode& reference, std::string_view key, const ModelMatch& found,
                               const ModelLibrary& models) {
  const std::string lists = "`gdsim devices` lists all, `--models DIR` adds a folder";
  switch (found.fit) {
    case NameFit::no_model: return no_model_text(reference, found, models) + "; " + lists;
    case NameFit::part:
      if (found.names.size() == 1) break;
      return describe(reference) + " is ambiguous, " + std::to_string(found.names.size()) + " models fit; " +
             candidates_text(found.names) + " Write " + replacement(reference, key, found.names.front()) + "; " + lists;
    default: break;
  }
  return "unknown model " + describe(reference) + ";" + (found.names.empty() ? "" : near_text(found, models)) + " " +
         lists;
}

std::string model_and_file_text(const YamlNode& reference, std::string_view key, const std::string& model,
                                const fs::path& beside) {
  const std::string for_model =
      model == reference.text ? "move or rename the file" : "write " + replacement(reference, key, model);
  return describe(reference) + " is the model " + model +
         ", and a file of this name lies beside: for the file, write " +
         replacement(reference, key, "./" + beside.filename().string()) + "; for the model, " + for_model;
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
