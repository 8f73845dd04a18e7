#pragma once

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/yaml/yaml_node.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gdsim {

/// Returns the parts of a dotted path, quotes removed, or nullopt if it has an empty part or an open quote.
std::optional<std::vector<std::string>> path_parts(std::string_view path);

/// Returns the number by which a path names an entry of a list, from 0, or nullopt if it is no number.
std::optional<std::size_t> entry_number(std::string_view part);

/// Returns the place of the value at a dotted path such as `variation.work_groups.6` or `program.0`, or of the nearest
/// value above it that exists.
SourceMark mark_of(const YamlNode& root, std::string_view path);

/// Returns the place of the key at the end of a dotted path; without such a key, as mark_of().
SourceMark key_mark_of(const YamlNode& root, std::string_view path);

/// Returns the value at a dotted path, or null if there is none.
const YamlNode* find_path(const YamlNode& root, std::string_view path);

/// Sets the value at a dotted path: keys of mappings, positions of lists. Missing mappings on the way are made; a
/// device given by name becomes `{base: NAME}`. A part in double quotes may contain dots. A path that cannot be
/// followed is reported at `where`.
void set_path(YamlNode& root, std::string_view path, const YamlNode& value, const SourceMark& where,
              Diagnostics& problems);

}  // namespace gdsim
