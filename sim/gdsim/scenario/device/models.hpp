#pragma once

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/device/device_spec.hpp>
#include <gdsim/yaml/yaml_node.hpp>

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gdsim {

/// A value that a product's model should have and this model lacks.
struct ModelGap {
  std::string key;   ///< the path of the missing value: `memory.levels.GDDR6.latency`
  std::string cost;  ///< the consequence for users of the model, a clause
  std::string line;  ///< how to write it, with the value of some GPU: `latency: 400 ns`
};

/// Returns the values that a model lacks, in the order of the parts of a GPU: names, clock, cores, limits of
/// work-groups, dispatch, memory, arithmetic, atomics, copies, sources. `tree` is the file from which `device` was
/// read, its bases merged in. A family need not have the values of products: clock, number of cores, memory, latencies,
/// copies.
std::vector<ModelGap> model_gaps(const DeviceSpec& device, const YamlNode& tree);

/// The number of values whose source begins with `not verified`, and of values that have a source or should.
struct SourceCount {
  std::size_t not_verified = 0;
  std::size_t values = 0;
};
SourceCount count_sources(const YamlNode& tree);

/// A row of `names.csv`: a name that people, drivers or compilers give to a device.
struct DeviceName {
  std::string name;
  std::string model;                   ///< the model; of a product that has none: its family
  std::optional<std::uint32_t> cores;  ///< of a product that has no model
  std::string note;                    ///< what the name means, or where the number of cores is from
};

/// Reads `names.csv` (columns `name`, `model`, `cores`, `note`). Adds a problem for each row that cannot be used.
std::vector<DeviceName> read_device_names(const SourceText& source, Diagnostics& problems);

/// How a name relates to the models.
enum class NameFit : std::uint8_t {
  named,     ///< it is the name of one model, or a synonym
  part,      ///< it is a part of the names of models, which of them is meant is not said
  no_model,  ///< it is a product that has no model: its family and number of cores are known
  near,      ///< it is none of them, but its generation or spelling is near to theirs
  none,      ///< no model is similar
};

/// The models that a name may mean.
struct ModelMatch {
  NameFit fit = NameFit::none;
  std::vector<std::string> names;      ///< `named`: the model; `no_model`: the family; else the likeliest first
  std::optional<std::uint32_t> cores;  ///< of a product that has no model
  std::string note;                    ///< of the row of `names.csv`

  bool is_certain() const { return fit == NameFit::named; }
};

// Which model a name means:
// 1. A name is a list of words, in lower case. All but letters, digits and points between digits separates words, and
//    so do the borders of a series, its number and what stands behind (`RTX4070Ti` is `rtx 4070 ti`). Words of vendors
//    (`NVIDIA`, `GeForce`, `GPU`) are left out. `sm_89`, `compute_89`, `cc89` and `8.9` are `cc 8.9`; letters of code
//    for one architecture (`sm_90a`) are left out.
// 2. A model is named by exactly its words, and by a row of `names.csv` with exactly the written words.
// 3. Either is also named by its words without the name of its series (`4090`, `a770`). No other word is ever left out
// or
//    added: Ti, SUPER, D, Laptop, GRE, NVL, PCIe, SXM and sizes of memory are parts of a name.
// 4. What is a part of the names of models, in whole words or in letters, lists these.
// 5. What has more words than a model (`RTX 5080 Laptop`) lists the models with most of its words; any other name those
//    of the same series whose numbers begin alike, the nearest number first; else the one name with few slips.

/// Returns the models of `known` that a name means. The first rule that finds one decides.
ModelMatch match_model(std::string_view name, const std::vector<std::string>& known,
                       const std::vector<DeviceName>& names);

/// Returns true if a name is a partition's, or the beginning of it, or a mode in it (`nps1`), alone or beside words of
/// the model's name: `ccs-2`, `max-1550 ccs-2`, `MI300X CPX`.
bool names_partition(std::string_view name, std::string_view model, std::string_view partition);

/// Finds the file of a model by its name. The model NAME is the file NAME.yaml in one of the folders or in a subfolder;
/// the first folder that has it wins, and a folder's own file precedes its subfolders'. A known name is found by
/// testing a few paths: no model is opened, and models are listed only on request. Files that appear later may or may
/// not be found. Not thread-safe.
class ModelIndex {
 public:
  explicit ModelIndex(std::vector<std::filesystem::path> folders);

  /// Returns the file of a model, or nullopt if no folder has it.
  std::optional<std::filesystem::path> find(const std::string& name) const;
  /// Returns the file NAME.yaml in the subfolder `roots` of the first folder that has it. Bases of families are no
  /// models.
  std::optional<std::filesystem::path> find_root(const std::string& name) const;
  /// Returns every model by its name.
  const std::map<std::string, std::filesystem::path>& all() const;
  const std::vector<std::filesystem::path>& folders() const { return folders_; }

 private:
  /// Returns the subfolders of folders_[number] that may hold models, in their order.
  const std::vector<std::filesystem::path>& inner_folders(std::size_t number) const;

  std::vector<std::filesystem::path> folders_;
  /// By folder, once it was listed.
  mutable std::vector<std::optional<std::vector<std::filesystem::path>>> inner_;
  mutable std::optional<std::map<std::string, std::filesystem::path>> all_;
};

/// Returns the YAML files of a folder, in a fixed order; empty if the folder cannot be listed.
std::vector<std::filesystem::path> yaml_files(const std::filesystem::path& folder);

/// Returns true if the path exists. Returns false for a path that cannot exist: too long, or through a file that is no
/// folder.
bool is_there(const std::filesystem::path& file);

/// The folder of vendors' terms next to the models. It holds no models.
inline constexpr const char* kTermsFolder = "terms";
/// The file of a folder of models that has other names of them, and of products that have no model.
inline constexpr const char* kNamesFile = "names.csv";
/// The folder of the bases of families. It holds no models either.
inline constexpr const char* kRootsFolder = "roots";

class ModelLibrary;

/// Explains why a name is no model's: several models fit, it is a product without a model, or none fits, in which case
/// the nearest are listed: by family, then by number of cores. Adds a replacement, as an option or as a line of the
/// file that contains `reference`, and for another number of cores the line `device: {base: cc-8.9, cores: 46}`.
std::string unknown_model_text(const YamlNode& reference, std::string_view key, const ModelMatch& found,
                               const ModelLibrary& models);

/// Returns the lines of a scenario for what a name means of partitions, such as
/// `device: {base: max-1550-stack, partition: ccs-2}` for `ccs-2`; empty if it means none. For AMD's mode SPX, which
/// divides nothing, these are the models that have other modes.
std::vector<std::string> partition_lines(std::string_view name, const ModelLibrary& models);

/// Explains that a name is that of a model and of a device file beside, and how each is written.
std::string model_and_file_text(const YamlNode& reference, std::string_view key, const std::string& model,
                                const std::filesystem::path& beside);

/// Reports that no folder has a model, and lists the folders.
std::string no_models_text(const std::vector<std::filesystem::path>& folders);

/// Returns the problem of a model whose launches are split by stack if `over` sets `cores` but not the number of
/// stacks; else an empty text. On a device of two stacks of 64 cores, 64 cores would be two stacks of 32, although one
/// stack was meant.
std::string cut_groups_problem(const YamlNode& base, const YamlNode& over, const ModelIndex& models);

// Where `over` sets fewer cores than the base has, and no `core_groups`, the first cores stay in the base's groups:
// 1. Groups behind the last core go; the group that contains it keeps its first cores. 6 cores of 8 slices of 4 are a
//    slice of 4 and one of 2.
// 2. Groups within the only group that is left are cut in the same way.
// 3. A group that is cut, has groups within, and is not alone is refused: groups of one level are divided alike.
// 4. A device that deals its work-groups out to its groups in turn (`dispatch.partition`) keeps all of them, each with
//    fewer cores, unless there are more groups than cores.

/// Cuts the `core_groups` of `base` to the cores that `over` leaves. Returns the problem of rule 3, else an empty text.
std::string keep_first_groups(YamlNode& base, const YamlNode& over);

// A model's `partitions:` lists parts of the device that can be used as devices: MIG instances, compute partitions.
// Each has values that replace the whole device's (`cores`, `core_groups`, `copy`, `dispatch`), and `memory_share`: its
// share of the bandwidth and capacity of the memory levels that all cores share. `partition: NAME` beside `base:`
// chooses one.

/// Applies the `partition:` of `device` to `model`, the `base:` of it, whose bases are merged in. Adds a problem if the
/// model has no partition of that name.
void apply_partition(YamlNode& model, const YamlNode& device, const ModelLibrary& models, const ValueReader& values);

/// Adds all problems of a model's partitions, chosen or not.
void check_partitions(const YamlNode& partitions, const ValueReader& values);

/// A value of a model that is neither a mapping nor a list of mappings: `memory.levels.L2.latency`, `sub_group_sizes`.
struct ModelLeaf {
  std::string path;            ///< dotted; a list entry appears by its `name`, or by its number if it has none
  std::string path_by_number;  ///< the same path with the numbers of all entries: `memory.levels.0.latency`
  const YamlNode* value = nullptr;

  /// Returns true if the value is a number, with or without a unit, or a list of numbers.
  bool is_number() const;
};

/// Returns the values of a model in their order, without those that name something and need no source: `device`,
/// `kind`, `name`, `vendor`, `terms`, `base`, the names of list entries, and `sources` itself.
std::vector<ModelLeaf> model_leaves(const YamlNode& model);

/// Returns true if `path` lies at or below `above`, ignoring case: `memory.levels` is above `memory.levels.L2.latency`.
bool is_at_or_below(std::string_view path, std::string_view above);

/// Returns the entry of `sources:` that applies to a value, or null: the entry with the longest path at or above the
/// value's. A key without a dot that is not a key of the model means the inner key of that name: `recovery` means
/// `dispatch.recovery`.
const YamlEntry* source_of(const YamlNode& model, const ModelLeaf& leaf);

/// Removes from `sources:` and `alternatives:` of `base` those of values that `over` replaces. If `over` replaces only
/// some of a source's values, the source stays only if `over` has a source for these.
void drop_sources(YamlNode& base, const YamlNode& over);

/// Returns a source as a model writes it. In keys: `{text: a page, verified: false, conflict: another page}`. In words,
/// it begins with `not verified: `, or has the word ASSUMED, EXTRAPOLATED or CONFLICT in capital letters: these words
/// are marks, as the keys are. Marks of keys become words of `text`.
FigureSource figure_source(const YamlNode& source);

}  // namespace gdsim
