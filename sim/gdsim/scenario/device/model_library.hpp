#pragma once

#include <gdsim/device/device_spec.hpp>
#include <gdsim/scenario/device/model_index.hpp>
#include <gdsim/scenario/read_scenario.hpp>
#include <gdsim/yaml/yaml_values.hpp>

#include <deque>
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

/// Whether a model's mapping says that it is no device, but what families are based on (`kind: root`).
bool is_root(const YamlNode& model);

/// Reads models by name from a list of folders, of which ModelIndex knows the files. Roots are found by `base:`, behind
/// all models, and by nothing else. Each file is read once, as long as its SourceFiles live. For one thread at a time.
class ModelLibrary {
 public:
  ModelLibrary(std::vector<std::filesystem::path> folders, SourceFiles& sources);

  /// The file of the model that `reference` names: a name, or a path (with a '/' or ending in .yaml) taken
  /// relative to `near`. Nothing if there is none, or several fit: the problem, with the likeliest names, is added.
  std::optional<std::filesystem::path> locate(const YamlNode& reference, std::string_view key,
                                              const std::filesystem::path& near, const ValueReader& values) const;

  /// The mapping of a device file or of an inline device, its `base:` chain merged in key by key, and `defaults:`
  /// filled in (apply_defaults()). What overrides a number also drops the base's source of it (drop_sources()). A root
  /// is refused.
  std::optional<YamlNode> resolve(const YamlNode& device, const std::filesystem::path& near, const ValueReader& values);

  /// The vendor's words by name: the file `terms/NAME.yaml` of the first folder that has it.
  std::optional<YamlNode> resolve_terms(const YamlNode& reference, const ValueReader& values);

  /// The names of all models in the folders, without roots, sorted.
  std::vector<std::string> names() const;
  const std::vector<std::filesystem::path>& folders() const { return index_.folders(); }

  /// So many devices are remembered: memory does not follow how many different ones are read.
  static constexpr std::size_t kDevicesKept = 128;
  /// A device that was kept under this key, and not forgotten since; null if there is none. Valid until the next one is
  /// kept.
  const DeviceSpec* find_device(const std::string& key) const;
  /// Remembers a device that find_device() does not find; the one that was kept first is forgotten where there are too
  /// many.
  void keep_device(std::string key, const DeviceSpec& device);
  std::size_t devices_kept() const { return devices_.size(); }

 private:
  std::optional<YamlNode> load(const YamlNode& reference, std::string_view key, const std::filesystem::path& near,
                               const ValueReader& values);
  std::optional<YamlNode> merge_base(YamlNode device, const std::filesystem::path& near, const ValueReader& values);

  ModelIndex index_;
  SourceFiles& sources_;
  std::map<std::filesystem::path, YamlNode> resolved_;  ///< by file, their bases merged in
  std::map<std::string, DeviceSpec> devices_;
  std::deque<std::string> kept_;              ///< the keys of devices_, in the order in which they came
  std::vector<std::filesystem::path> chain_;  ///< files being resolved, to find a base that leads back
};

}  // namespace gdsim
