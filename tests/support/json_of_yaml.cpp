#include "json_of_yaml.hpp"

#include <charconv>

namespace gdsim::testing {
namespace {

/// Reads the whole `text` as a number of type T.
template <class T>
std::optional<T> number(const std::string& text) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

bool looks_like_a_number(const std::string& text) {
  return !text.empty() && text.find_first_not_of("0123456789+-.eE") == std::string::npos;
}

}  // namespace

nlohmann::json json_of_yaml(const YamlNode& node) {
  if (node.is_sequence()) {
    auto list = nlohmann::json::array();
    for (const YamlNode& item : node.items) list.push_back(json_of_yaml(item));
    return list;
  }
  if (node.is_mapping()) {
    auto object = nlohmann::json::object();
    for (const YamlEntry& entry : node.entries) object[entry.key] = json_of_yaml(entry.value);
    return object;
  }
  if (node.style == YamlNode::Style::quoted) return node.text;
  if (node.text.empty() || node.text == "null" || node.text == "~") return nullptr;
  if (node.text == "true" || node.text == "false") return node.text == "true";
  if (!looks_like_a_number(node.text)) return node.text;
  if (const auto integer = number<std::int64_t>(node.text)) return *integer;
  if (const auto real = number<double>(node.text)) return *real;
  return node.text;
}

}  // namespace gdsim::testing
