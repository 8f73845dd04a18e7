#pragma once

#include <gdsim/yaml/yaml_node.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace gdsim {

/// A value of a model that is no mapping and no list of mappings: `memory.levels.L2.latency`, `sub_group_sizes`.
struct ModelLeaf {
  std::string path;            ///< dotted; an entry of a list goes by its `name`, or by its number where it has none
  std::string path_by_number;  ///< the same with the numbers of all entries: `memory.levels.0.latency`
  const YamlNode* value = nullptr;

  /// Whether it is a number, with or without a unit, or a list of them.
  bool is_number() const;
};

/// The values of a model in their order. Left out is what names something and needs no source: `device`, `kind`,
/// `name`, `vendor`, `terms`, `base`, the names of list entries, and `sources` itself.
std::vector<ModelLeaf> model_leaves(const YamlNode& model);

/// Whether `path` lies at or below `above`, without regard to case: `memory.levels` is above
/// `memory.levels.L2.latency`.
bool is_at_or_below(std::string_view path, std::string_view above);

/// The entry of `sources:` that speaks for a value: the one with the longest path at or above the value's. A key
/// without a dot that is no key of the model stands for the inner key of that name: `recovery` for `dispatch.recovery`.
/// Null if there is none.
const YamlEntry* source_of(const YamlNode& model, const ModelLeaf& leaf);

/// Removes from `sources:` of `base` what speaks for values that `over` replaces. A source of several values, of which
/// `over` replaces some, stays only where `over` gives those a source of their own.
void drop_sources(YamlNode& base, const YamlNode& over);

/// The marker with which a source begins where no document or measurement that can be followed gives the value.
inline constexpr std::string_view kNotVerified = "not verified";

}  // namespace gdsim
