#include "devices/device_family.hpp"

#include <gdsim/yaml/yaml_document.hpp>

#include <filesystem>
#include <set>

namespace gdsim::cli {

std::string family_of(const ModelLibrary& models, SourceFiles& sources, const std::string& name) {
  std::filesystem::path near = ".";
  YamlNode reference;
  reference.text = name;
  std::string family = name;
  for (std::set<std::filesystem::path> seen;;) {
    Diagnostics ignored;
    const auto file = models.locate(reference, "base", near, ValueReader(ignored));
    if (!file || !seen.insert(*file).second) return family;
    const auto model = read_yaml(sources.read(*file), ignored);
    if (model && is_root(*model)) return family;
    family = file->stem().string();
    const YamlNode* base = model && model->is_mapping() ? model->find("base") : nullptr;
    if (base == nullptr) return family;
    reference = *base;
    near = file->parent_path();
  }
}

}  // namespace gdsim::cli
