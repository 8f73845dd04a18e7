#include <gdsim/scenario/cases/added_parameters.hpp>

#include <gdsim/base/text.hpp>
#include <gdsim/yaml/yaml_path.hpp>

#include <algorithm>

namespace gdsim {
namespace {

bool is_of_name(char c) {
  return c == '_' || (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

/// Returns true if the text is an expression that contains this name.
bool is_in_expression(std::string_view text, std::string_view name) {
  if (!text.starts_with('=')) return false;
  for (std::size_t at = text.find(name); at != std::string_view::npos; at = text.find(name, at + 1)) {
    const std::size_t end = at + name.size();
    if (!is_of_name(text[at - 1]) && (end == text.size() || !is_of_name(text[end]))) return true;
  }
  return false;
}

bool is_used(const YamlNode& node, std::string_view name) {
  const auto in_entry = [name](const YamlEntry& entry) { return is_used(entry.value, name); };
  const auto in_item = [name](const YamlNode& item) { return is_used(item, name); };
  return is_in_expression(node.text, name) || std::any_of(node.entries.begin(), node.entries.end(), in_entry) ||
         std::any_of(node.items.begin(), node.items.end(), in_item);
}

/// `; known: tile, width`, or a note that there are none.
std::string known_text(const YamlNode& scenario, const std::vector<AddedParameter>& added, const std::string& name) {
  const auto is_added = [&added](const YamlEntry& entry) {
    return std::any_of(added.begin(), added.end(), [&](const AddedParameter& one) { return one.name == entry.key; });
  };
  std::vector<std::string_view> known;
  if (const YamlNode* parameters = scenario.find("parameters"))
    for (const YamlEntry& entry : parameters->entries)
      if (!is_added(entry)) known.emplace_back(entry.key);
  return known.empty() ? "; the scenario has none" : "; " + known_names(name, known);
}

}  // namespace

std::optional<std::string> added_parameter(const YamlNode& scenario, std::string_view path) {
  const auto parts = path_parts(path);
  if (!parts || parts->size() != 2 || parts->front() != "parameters" || find_path(scenario, path) != nullptr)
    return std::nullopt;
  return parts->back();
}

void require_used(const YamlNode& scenario, const std::vector<AddedParameter>& added, Diagnostics& problems) {
  for (const AddedParameter& one : added)
    if (!is_used(scenario, one.name))
      problems.add(one.mark, "there is no parameter " + in_quotes(one.name) + ", and no expression uses it" +
                                 known_text(scenario, added, one.name));
}

}  // namespace gdsim
