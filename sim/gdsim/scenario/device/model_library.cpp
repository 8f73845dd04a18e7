#include <gdsim/scenario/device/model_library.hpp>

#include <gdsim/scenario/device/models.hpp>
#include <gdsim/scenario/keys/keys.hpp>
#include <gdsim/scenario/keys/map_reader.hpp>
#include <gdsim/yaml/yaml_node.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <set>
#include <string>
#include <tuple>
#include <vector>

namespace gdsim {
namespace {

/// Adds a problem for each key that `defaults` does not allow.
void check_keys(const YamlNode& defaults, const ValueReader& values) {
  const MapReader map(defaults, "defaults", keys::kDeviceDefaults, values);
  if (const YamlNode* memory = map.find("memory")) MapReader(*memory, "memory", keys::kDeviceDefaultsMemory, values);
  if (const YamlNode* copy = map.find("copy")) MapReader(*copy, "copy", keys::kDeviceDefaultsCopy, values);
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

namespace {

namespace fs = std::filesystem;

bool is_path(const std::string& reference) {
  return reference.find('/') != std::string::npos || reference.ends_with(".yaml") || reference.ends_with(".yml");
}

/// A file with one of these keys is a scenario, which is no device, though it has a key `device`.
constexpr std::array<std::string_view, 3> kKeysOfScenarios{"scenario", "kernels", "launches"};

bool is_same_file(const fs::path& a, const fs::path& b) {
  std::error_code none;
  return fs::equivalent(a, b, none);
}

/// Merges the entries of `over` into `under`, mappings key by key.
void overlay(YamlNode& under, const YamlNode& over) {
  under.mark = over.mark;
  for (const YamlEntry& entry : over.entries) overlay_entry(under, entry);
}

/// Returns true if `over` has entries of the list by number: `{2: {bandwidth: 40 GB/s}}`.
bool are_entries_of(const YamlNode& list, const YamlNode& over) {
  return list.is_sequence() && over.is_mapping() && !over.entries.empty() &&
         std::all_of(over.entries.begin(), over.entries.end(), [&](const YamlEntry& entry) {
           const auto number = entry_number(entry.key);
           return number && *number < list.items.size();
         });
}

void overlay_item(YamlNode& item, const YamlNode& over) {
  if (item.is_mapping() && over.is_mapping()) {
    overlay(item, over);
  } else {
    item = over;
  }
}

}  // namespace

bool is_root(const YamlNode& model) {
  const YamlNode* kind = model.find("kind");
  return kind != nullptr && kind->text == "root";
}

void overlay_entry(YamlNode& under, const YamlEntry& entry) {
  YamlNode* existing = under.find(entry.key);
  if (existing != nullptr && are_entries_of(*existing, entry.value)) {
    for (const YamlEntry& inner : entry.value.entries)
      overlay_item(existing->items[*entry_number(inner.key)], inner.value);
    return;
  }
  // A clock schedule is one value: clocks of two schedules are never merged.
  if (existing == nullptr || entry.key == "clock" || !existing->is_mapping() || !entry.value.is_mapping()) {
    under.set(entry.key, entry.key_mark, entry.value);
    return;
  }
  existing->mark = entry.value.mark;
  for (const YamlEntry& inner : entry.value.entries) overlay_entry(*existing, inner);
}

template <class Visit>
void ModelLibrary::for_each_base(const std::string& name, Visit visit) const {
  fs::path near = ".";
  YamlNode reference;
  reference.text = name;
  for (std::set<fs::path> seen;;) {
    Diagnostics ignored;
    const auto file = locate(reference, "base", near, ValueReader(ignored));
    if (!file || !seen.insert(*file).second) return;
    const auto model = read_yaml(sources_.read(*file, "a device model"), ignored);
    if (!model || !model->is_mapping() || is_root(*model)) return;
    const YamlNode* base = model->find("base");
    if (!visit(file->stem().string(), *model) || base == nullptr) return;
    reference = *base;
    near = file->parent_path();
  }
}

std::string ModelLibrary::family_of(const std::string& name) const {
  std::string family = name;
  for_each_base(name, [&](const std::string& base, const YamlNode& model) {
    family = base;
    const YamlNode* kind = model.find("kind");
    return kind == nullptr || kind->text != "family";
  });
  return family;
}

std::uint32_t ModelLibrary::cores_of(const std::string& name) const {
  std::uint32_t cores = 0;
  for_each_base(name, [&](const std::string&, const YamlNode& model) {
    const YamlNode* written = model.find("cores");
    if (written == nullptr) return true;
    const std::string& text = written->text;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), cores);
    if (error != std::errc() || end != text.data() + text.size()) cores = 0;
    return false;
  });
  return cores;
}

std::vector<std::string> ModelLibrary::partitions_of(const std::string& name) const {
  std::vector<std::string> partitions;
  for_each_base(name, [&](const std::string&, const YamlNode& model) {
    if (const YamlNode* written = model.find("partitions"))
      for (const YamlEntry& entry : written->entries) partitions.push_back(entry.key);
    return partitions.empty() && model.find("partition") == nullptr;
  });
  return partitions;
}

std::vector<std::string> ModelLibrary::products_of(const std::string& family, std::uint32_t cores) const {
  std::vector<std::tuple<std::uint32_t, std::string>> products;
  for (const std::string& name : names()) {
    if (name == family || family_of(name) != family) continue;
    const std::uint32_t own = cores_of(name);
    products.emplace_back(own > cores ? own - cores : cores - own, name);
  }
  if (cores > 0) std::sort(products.begin(), products.end());
  std::vector<std::string> sorted;
  for (auto& [distance, name] : products) sorted.push_back(std::move(name));
  return sorted;
}

ModelLibrary::ModelLibrary(std::vector<fs::path> folders, SourceFiles& sources)
    : index_(std::move(folders)), sources_(sources) {}

std::vector<std::string> ModelLibrary::names() const {
  std::vector<std::string> names;
  for (const auto& [name, file] : index_.all()) names.push_back(name);
  return names;
}

const DeviceSpec* ModelLibrary::find_device(const std::string& key) const {
  const auto found = devices_.find(key);
  return found != devices_.end() ? &found->second : nullptr;
}

void ModelLibrary::keep_device(std::string key, const DeviceSpec& device) {
  if (kept_.size() == kDevicesKept) {
    devices_.erase(kept_.front());
    kept_.pop_front();
  }
  if (devices_.emplace(key, device).second) kept_.push_back(std::move(key));
}

std::optional<fs::path> ModelLibrary::locate(const YamlNode& reference, std::string_view key, const fs::path& near,
                                             const ValueReader& values) const {
  const auto name = values.text(reference, key);
  if (!name) return std::nullopt;
  if (is_path(*name)) {
    const fs::path file = (near / *name).lexically_normal();
    if (is_there(file)) return file;
    values.fail(reference, key, "there is no file " + file.string());
    return std::nullopt;
  }
  return locate_name(reference, key, near / (*name + ".yaml"), values);
}

std::optional<fs::path> ModelLibrary::locate_name(const YamlNode& reference, std::string_view key,
                                                  const fs::path& beside, const ValueReader& values) const {
  const std::string& name = reference.text;
  const std::optional<fs::path> model = index_.find(name);
  if (model && is_same_file(*model, beside)) return model;
  if (has_device(beside)) {
    const ModelMatch other = match(name);
    if (!other.is_certain() || is_same_file(index_.all().at(other.names.front()), beside)) return beside;
    values.fail(reference, key, model_and_file_text(reference, key, other.names.front(), beside));
    return std::nullopt;
  }
  if (model) return model;
  if (const auto root = index_.find_root(name)) {
    if (key == "base") return root;
    values.fail(reference, key,
                describe(reference) + " is a base for families, not a device; `gdsim devices` lists devices");
    return std::nullopt;
  }
  const ModelMatch found = match(name);
  if (found.is_certain()) return index_.all().at(found.names.front());
  values.fail(reference, key,
              index_.all().empty() ? describe(reference) + " cannot be found: " + no_models_text(folders())
                                   : unknown_model_text(reference, key, found, *this));
  return std::nullopt;
}

bool ModelLibrary::has_device(const fs::path& file) const {
  if (!is_there(file)) return false;
  std::error_code none;
  const fs::path canonical = fs::weakly_canonical(file, none);
  if (std::find(chain_.begin(), chain_.end(), canonical) != chain_.end()) return false;
  Diagnostics ignored;
  const auto root = read_yaml(sources_.read(file, "a device model"), ignored);
  return !root || std::none_of(kKeysOfScenarios.begin(), kKeysOfScenarios.end(),
                               [&](std::string_view key) { return root->is_mapping() && root->find(key) != nullptr; });
}

const std::vector<DeviceName>& ModelLibrary::device_names() const {
  if (device_names_) return *device_names_;
  device_names_.emplace();
  for (const fs::path& folder : folders()) {
    const fs::path file = folder / kNamesFile;
    if (!is_there(file)) continue;
    Diagnostics ignored;
    const std::vector<DeviceName> rows = read_device_names(sources_.read(file, "names of models"), ignored);
    device_names_->insert(device_names_->end(), rows.begin(), rows.end());
  }
  return *device_names_;
}

std::optional<YamlNode> ModelLibrary::load(const YamlNode& reference, std::string_view key, const fs::path& near,
                                           const ValueReader& values) {
  const auto file = locate(reference, key, near, values);
  if (!file) return std::nullopt;
  if (const auto known = resolved_.find(*file); known != resolved_.end()) return known->second;
  std::error_code none;
  fs::path canonical = fs::weakly_canonical(*file, none);
  if (none) canonical = *file;
  if (std::find(chain_.begin(), chain_.end(), canonical) != chain_.end()) {
    std::string names;
    for (const fs::path& link : chain_) names += link.stem().string() + " -> ";
    values.fail(reference, key, "leads back to itself: " + names + canonical.stem().string());
    return std::nullopt;
  }
  const std::size_t before = values.problems().size();
  auto root = read_yaml(sources_.read(*file, "a device model"), values.problems());
  if (!root || values.problems().size() > before) return std::nullopt;
  if (values.mapping(*root, "device file") == nullptr) return std::nullopt;
  chain_.push_back(canonical);
  auto merged = merge_base(std::move(*root), file->parent_path(), values);
  chain_.pop_back();
  if (merged && values.problems().size() == before) resolved_.emplace(*file, *merged);
  return merged;
}

std::optional<YamlNode> ModelLibrary::merge_base(YamlNode device, const fs::path& near, const ValueReader& values) {
  const YamlNode* base = device.find("base");
  if (base == nullptr) return device;
  auto merged = load(*base, "base", near, values);
  if (!merged) return std::nullopt;
  std::string problem = cut_groups_problem(*merged, device, index_);
  if (problem.empty()) problem = keep_first_groups(*merged, device);
  if (!problem.empty()) {
    values.fail(*device.find("cores"), "device: cores", problem);
    return std::nullopt;
  }
  if (is_root(*merged)) std::erase_if(merged->entries, [](const YamlEntry& entry) { return entry.key == "kind"; });
  if (device.find("partition") != nullptr) apply_partition(*merged, device, *this, values);
  drop_sources(*merged, device);
  overlay(*merged, device);
  std::erase_if(merged->entries,
                [](const YamlEntry& entry) { return entry.key == "base" || entry.key == "partition"; });
  return merged;
}

std::optional<YamlNode> ModelLibrary::resolve(const YamlNode& device, const fs::path& near, const ValueReader& values) {
  auto resolved = device.is_mapping() ? merge_base(device, near, values) : load(device, "device", near, values);
  if (!resolved) return std::nullopt;
  if (is_root(*resolved)) {
    values.fail(device, "device",
                "is no device: its file has `kind: root`; families are based on it, as in `base: nvidia`");
    return std::nullopt;
  }
  return apply_defaults(*resolved, values) ? std::move(resolved) : std::nullopt;
}

std::optional<YamlNode> ModelLibrary::resolve_terms(const YamlNode& reference, const ValueReader& values) {
  const auto name = values.text(reference, "terms");
  if (!name) return std::nullopt;
  for (const fs::path& folder : folders())
    if (const fs::path file = folder / kTermsFolder / (*name + ".yaml"); is_there(file))
      return read_yaml(sources_.read(file, "the words of a vendor"), values.problems());
  std::vector<std::string> known;
  for (const fs::path& folder : folders())
    for (const fs::path& file : yaml_files(folder / kTermsFolder)) known.push_back(file.stem().string());
  if (known.empty()) {
    values.fail(reference, "terms", describe(reference) + " cannot be found: " + no_models_text(folders()));
    return std::nullopt;
  }
  const std::vector<std::string_view> views(known.begin(), known.end());
  values.fail(reference, "terms", "there are no words of the name " + describe(reference) + "; known: " + join(views));
  return std::nullopt;
}

}  // namespace gdsim
