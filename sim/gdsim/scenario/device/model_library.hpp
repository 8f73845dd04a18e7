#pragma once

#include <gdsim/device/device_spec.hpp>
#include <gdsim/scenario/device/models.hpp>
#include <gdsim/scenario/source_files.hpp>
#include <gdsim/yaml/yaml_node.hpp>

#include <deque>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gdsim {

/// Copies the values under `defaults:` of a model into `memory` and `copy`, if the model has these and they lack the
/// value, and removes `defaults`. Its sources are removed too if the model has no such mapping. The bases of `model`
/// must be merged in. Adds unknown keys to the problems; returns true if there were none.
bool apply_defaults(YamlNode& model, const ValueReader& values);

/// Merges one entry into a mapping. A mapping is merged key by key, or into a list if its keys are numbers of the
/// list's entries; any other value replaces the old one.
void overlay_entry(YamlNode& under, const YamlEntry& entry);

/// Returns true if a model's mapping is the base of families, not a device (`kind: root`).
bool is_root(const YamlNode& model);

/// Reads models by name from a list of folders whose files ModelIndex finds. Roots are found only by `base:`, and after
/// all models. Each file is read once while its SourceFiles live. Not thread-safe.
class ModelLibrary {
 public:
  ModelLibrary(std::vector<std::filesystem::path> folders, SourceFiles& sources);

  /// Returns the file of the model that `reference` names: a path (with a '/' or ending in .yaml) relative to `near`;
  /// or a name, as match_model() understands it, or of a device file beside `near`. A name of both is refused: which is
  /// meant is not said. If no model fits or several do, returns nullopt and adds a problem that lists the likeliest.
  std::optional<std::filesystem::path> locate(const YamlNode& reference, std::string_view key,
                                              const std::filesystem::path& near, const ValueReader& values) const;

  /// Returns the mapping of a device file or of an inline device, with its `base:` chain merged in key by key and
  /// `defaults:` filled in (apply_defaults()). If a number is overridden, the base's source of it is dropped too
  /// (drop_sources()). A root is refused.
  std::optional<YamlNode> resolve(const YamlNode& device, const std::filesystem::path& near, const ValueReader& values);

  /// Returns the vendor's terms by name: the file `terms/NAME.yaml` of the first folder that has it.
  std::optional<YamlNode> resolve_terms(const YamlNode& reference, const ValueReader& values);

  /// Returns the names of all models in the folders, without roots, sorted.
  std::vector<std::string> names() const;
  const std::vector<std::filesystem::path>& folders() const { return index_.folders(); }
  /// Returns the models that a name may mean, by `names.csv` of the folders too.
  ModelMatch match(std::string_view name) const { return match_model(name, names(), device_names()); }
  /// Returns the rows of `names.csv` of all folders. A file that cannot be read has no rows: a test reads those
  /// shipped.
  const std::vector<DeviceName>& device_names() const;
  /// Returns a model's family: the nearest of its chain of `base:` that says `kind: family`, else the last, without
  /// roots. A model without a base is its own family. An unreadable file ends the chain: the reader of the device
  /// reports it.
  std::string family_of(const std::string& name) const;
  /// Returns the names of a model's partitions, in their order.
  std::vector<std::string> partitions_of(const std::string& name) const;
  /// Returns the family's products, those whose number of cores is nearest to `cores` first.
  std::vector<std::string> products_of(const std::string& family, std::uint32_t cores = 0) const;
  /// Returns the number of cores that the model or its nearest base writes; 0 if none is a number.
  std::uint32_t cores_of(const std::string& name) const;

  /// The maximum number of devices that are kept, which bounds the memory.
  static constexpr std::size_t kDevicesKept = 128;
  /// Returns the device kept under this key, or null. It is valid until the next device is kept.
  const DeviceSpec* find_device(const std::string& key) const;
  /// Keeps a device that find_device() does not find. If there are too many, the device that was kept first is evicted.
  void keep_device(std::string key, const DeviceSpec& device);
  /// Returns the number of devices that are kept, for tests.
  std::size_t devices_kept() const { return devices_.size(); }

 private:
  std::optional<YamlNode> load(const YamlNode& reference, std::string_view key, const std::filesystem::path& near,
                               const ValueReader& values);
  std::optional<YamlNode> merge_base(YamlNode device, const std::filesystem::path& near, const ValueReader& values);
  std::optional<std::filesystem::path> locate_name(const YamlNode& reference, std::string_view key,
                                                   const std::filesystem::path& beside,
                                                   const ValueReader& values) const;
  /// Returns true if the file is there, is no scenario, and is not being read: a model may be called as its base is.
  bool has_device(const std::filesystem::path& file) const;
  /// Calls `visit(name, model)` for a model and each of its bases that is no root, until it returns false.
  template <class Visit>
  void for_each_base(const std::string& name, Visit visit) const;

  ModelIndex index_;
  SourceFiles& sources_;
  mutable std::optional<std::vector<DeviceName>> device_names_;
  std::map<std::filesystem::path, YamlNode> resolved_;  ///< by file, their bases merged in
  std::map<std::string, DeviceSpec> devices_;
  std::deque<std::string> kept_;              ///< the keys of devices_, in the order in which they were added
  std::vector<std::filesystem::path> chain_;  ///< files being resolved, to detect a cycle of bases
};

}  // namespace gdsim
