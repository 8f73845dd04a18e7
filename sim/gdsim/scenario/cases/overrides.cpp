#include <gdsim/scenario/cases/overrides.hpp>

#include <gdsim/base/text.hpp>
#include <gdsim/scenario/keys/keys.hpp>
#include <gdsim/yaml/yaml_path.hpp>

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <string>
#include <vector>

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

namespace {

constexpr const char* kProgramSubGroup = "program_sub_group";

bool is_number(const YamlNode* node) {
  return node != nullptr && node->is_scalar() && !node->text.empty() &&
         std::all_of(node->text.begin(), node->text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

/// Returns the kernel whose `sub_group` the path names, or null if it names something else.
YamlNode* kernel_of_sub_group(YamlNode& scenario, std::string_view path) {
  const auto parts = path_parts(path);
  if (!parts || parts->size() != 3 || parts->front() != "kernels" || parts->back() != "sub_group") return nullptr;
  YamlNode* kernels = scenario.is_mapping() ? scenario.find("kernels") : nullptr;
  YamlNode* kernel = kernels != nullptr && kernels->is_mapping() ? kernels->find((*parts)[1]) : nullptr;
  return kernel != nullptr && kernel->is_mapping() ? kernel : nullptr;
}

}  // namespace

void override_value(YamlNode& scenario, std::string_view path, const YamlNode& value, const SourceMark& where,
                    Diagnostics& problems) {
  if (YamlNode* kernel = kernel_of_sub_group(scenario, path)) {
    const YamlNode* own = kernel->find("sub_group");
    if (is_number(own) && is_number(&value) && own->text != value.text && kernel->find(kProgramSubGroup) == nullptr)
      kernel->set(kProgramSubGroup, own->mark, YamlNode(*own));
  }
  set_path(scenario, path, value, where, problems);
}

namespace {

template <class Keys>
bool is_one_of(std::string_view name, const Keys& keys) {
  return std::find(keys.begin(), keys.end(), name) != keys.end();
}

/// A parameter `buffers` is older than the key of that name, and wins where the scenario has one.
bool is_key_of(const YamlNode& scenario, std::string_view first) {
  const YamlNode* parameters = scenario.find("parameters");
  const bool is_parameter = first == "buffers" && parameters != nullptr && parameters->find(first) != nullptr;
  return !is_parameter && is_one_of(first, keys::kScenario);
}

/// A name as one step of a path: in quotes, unless it is plain.
std::string step_of(std::string_view name) {
  const bool is_plain = std::all_of(name.begin(), name.end(),
                                    [](unsigned char c) { return std::isalnum(c) != 0 || c == '_' || c == '-'; });
  return is_plain ? std::string(name) : "\"" + std::string(name) + "\"";
}

/// `'gemm' is no key of a scenario; write kernels.gemm.registers`
std::string hint(std::string_view first, const std::string& meant) {
  return in_quotes(first) + " is no key of a scenario; write " + printable(meant);
}

}  // namespace

std::string full_path(const YamlNode& scenario, std::string_view path) {
  const std::string_view first = path.substr(0, path.find('.'));
  if (!scenario.is_mapping() || is_key_of(scenario, first)) return std::string(path);
  const YamlNode* parameters = scenario.find("parameters");
  if (parameters != nullptr && parameters->find(path) != nullptr) return "parameters." + std::string(path);
  const YamlNode* kernels = scenario.find("kernels");
  if (kernels == nullptr || !kernels->is_mapping() || kernels->entries.size() != 1 || !is_one_of(first, keys::kKernel))
    return std::string(path);
  return "kernels.\"" + kernels->entries.front().key + "\"." + std::string(path);
}

std::optional<std::string> path_hint(const YamlNode& scenario, std::string_view path) {
  constexpr std::array<std::string_view, 3> named{"kernels", "queues", "devices"};
  const std::string_view first = path.substr(0, path.find('.'));
  if (!scenario.is_mapping() || is_key_of(scenario, first)) return std::nullopt;
  for (const std::string_view group : named)
    if (const YamlNode* all = scenario.find(group); all != nullptr && all->find(first) != nullptr)
      return hint(first, std::string(group) + "." + step_of(first) + std::string(path.substr(first.size())));
  const YamlNode* kernels = scenario.find("kernels");
  if (kernels == nullptr || !kernels->is_mapping() || kernels->entries.size() < 2 || !is_one_of(first, keys::kKernel))
    return std::nullopt;
  return hint(first, "kernels." + step_of(kernels->entries.front().key) + "." + std::string(path) +
                         ", or another of the kernels");
}

}  // namespace gdsim
