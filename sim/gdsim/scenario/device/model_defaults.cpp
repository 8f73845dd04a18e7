#include <gdsim/scenario/device/model_defaults.hpp>

#include <gdsim/scenario/device/model_sources.hpp>
#include <gdsim/scenario/keys/keys.hpp>
#include <gdsim/scenario/keys/map_reader.hpp>

#include <string>
#include <vector>

namespace gdsim {
namespace {

/// Adds a problem for each key that `defaults` does not allow.
void check_keys(const YamlNode& defaults, const ValueReader& values) {
  const MapReader map(defaults, "defaults", keys::kDefaults, values);
  if (const YamlNode* memory = map.find("memory")) MapReader(*memory, "memory", keys::kDefaultMemory, values);
  if (const YamlNode* copy = map.find("copy")) MapReader(*copy, "copy", keys::kDefaultCopy, values);
}

void drop_sources_below(YamlNode& model, const std::string& path) {
  if (YamlNode* sources = model.find("sources"))
    std::erase_if(sources->entries, [&](const YamlEntry& source) { return is_at_or_below(source.key, path); });
}

}  // namespace

bool apply_defaults(YamlNode& model, const ValueReader& values) {
  const YamlNode* found = model.find("defaults");
  if (found == nullptr) return true;
  const std::size_t before = values.problems().size();
  const YamlNode defaults = *found;
  check_keys(defaults, values);
  if (values.problems().size() > before) return false;
  for (const YamlEntry& entry : defaults.entries) {
    YamlNode* own = model.find(entry.key);
    if (own == nullptr) {
      drop_sources_below(model, entry.key);
    } else if (own->is_mapping()) {
      for (const YamlEntry& inner : entry.value.entries)
        if (own->find(inner.key) == nullptr) own->set(inner.key, inner.key_mark, inner.value);
    }
  }
  std::erase_if(model.entries, [](const YamlEntry& entry) { return entry.key == "defaults"; });
  return true;
}

}  // namespace gdsim
