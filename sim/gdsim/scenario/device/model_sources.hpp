#pragma once

#include <gdsim/device/device_spec.hpp>
#include <gdsim/yaml/yaml_node.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace gdsim {

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
