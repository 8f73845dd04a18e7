#include <gdsim/base/text.hpp>
#include <gdsim/yaml/yaml_value.hpp>

#include <algorithm>
#include <array>

namespace gdsim {
namespace {

/// Returns true if YAML reads the text without quotes as a number, a truth value or null.
bool is_other_type(const std::string& text) {
  constexpr std::array<std::string_view, 10> words{"~",    "null", "Null",  "NULL",  "true",
                                                   "True", "TRUE", "false", "False", "FALSE"};
  return std::find(words.begin(), words.end(), text) != words.end() || parse_decimal(text).value.has_value();
}

}  // namespace

std::optional<std::string_view> percent_number(const YamlNode& node) {
  if (!node.is_scalar() || !node.text.ends_with('%')) return std::nullopt;
  return trimmed(std::string_view(node.text).substr(0, node.text.size() - 1));
}

void ValueReader::fail(const YamlNode& node, std::string_view name, const std::string& what) const {
  problems_.add(node.mark, std::string(name) + ": " + what);
}

bool ValueReader::is_scalar(const YamlNode& node, std::string_view name, const char* wanted) const {
  if (node.is_scalar() && !node.is_missing()) return true;
  fail(node, name, "is " + describe(node) + "; " + wanted + " is needed");
  return false;
}

std::optional<std::string> ValueReader::text(const YamlNode& node, std::string_view name) const {
  if (!is_scalar(node, name, "a text")) return std::nullopt;
  if (node.text.empty()) {
    fail(node, name, "is empty");
  } else if (node.style == YamlNode::Style::plain && is_other_type(node.text)) {
    fail(node, name, "is " + describe(node) + ", which is no text; if it is meant as one, write it in quotes");
  } else {
    return node.text;
  }
  return std::nullopt;
}

std::optional<std::uint64_t> ValueReader::whole(const YamlNode& node, std::string_view name, std::uint64_t min,
                                                std::uint64_t max) const {
  const auto number = decimal(node, name);
  if (!number) return std::nullopt;
  if (!is_whole(*number, 1)) {
    fail(node, name, describe(node) + " is not a whole number");
    return std::nullopt;
  }
  const auto value = round_product({*number});
  if (!value || static_cast<std::uint64_t>(*value) > max) {
    fail(node, name,
         describe(node) + " is too large: at most " +
             std::to_string(std::min(max, std::uint64_t{std::numeric_limits<std::int64_t>::max()})) + " is allowed");
    return std::nullopt;
  }
  if (static_cast<std::uint64_t>(*value) >= min) return static_cast<std::uint64_t>(*value);
  fail(node, name, describe(node) + " is too small: at least " + std::to_string(min) + " is needed");
  return std::nullopt;
}

std::optional<std::uint32_t> ValueReader::whole32(const YamlNode& node, std::string_view name) const {
  const auto value = whole(node, name, 0, std::numeric_limits<std::uint32_t>::max());
  if (!value) return std::nullopt;
  return static_cast<std::uint32_t>(*value);
}

std::optional<Decimal> ValueReader::decimal(const YamlNode& node, std::string_view name) const {
  if (!is_scalar(node, name, "a number")) return std::nullopt;
  Parsed<Decimal> parsed = parse_decimal(node.text);
  if (!parsed.value) {
    fail(node, name, describe(node) + " " + parsed.problem);
  } else if (node.style == YamlNode::Style::quoted) {
    fail(node, name, describe(node) + " is a text; write the number without quotes");
    return std::nullopt;
  }
  return parsed.value;
}

std::optional<bool> ValueReader::truth(const YamlNode& node, std::string_view name) const {
  if (node.is_scalar() && node.style == YamlNode::Style::plain) {
    if (node.text == "true") return true;
    if (node.text == "false") return false;
  }
  fail(node, name, "is " + describe(node) + "; true or false is needed");
  return std::nullopt;
}

void ValueReader::fail_choice(const YamlNode& node, std::string_view name,
                              std::span<const std::string_view> known) const {
  fail(node, name, "is " + describe(node) + "; " + known_names(node.is_scalar() ? node.text : "", known));
}

const YamlNode* ValueReader::list(const YamlNode& node, std::string_view name) const {
  if (node.is_sequence()) return &node;
  fail(node, name, "is " + describe(node) + "; a list is needed");
  return nullptr;
}

const YamlNode* ValueReader::mapping(const YamlNode& node, std::string_view name) const {
  if (node.is_mapping()) return &node;
  fail(node, name, "is " + describe(node) + "; a mapping is needed");
  return nullptr;
}

std::string double_quoted(std::string_view text) {
  constexpr std::string_view hex = "0123456789ABCDEF";
  std::string result = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      result += '\\';
      result += c;
    } else if (c == '\n') {
      result += "\\n";
    } else if (byte < 0x20 || byte == 0x7F) {
      result += "\\x";
      result += hex[byte >> 4U];
      result += hex[byte & 0xFU];
    } else {
      result += c;
    }
  }
  return result + "\"";
}

std::string block_text(const YamlNode& root) {
  const YamlValue value(root);
  return root.is_scalar() || value.is_empty() ? value.line() + "\n" : value.block();
}

std::string flow_text(const YamlNode& node) {
  if (node.is_scalar()) return node.text;
  std::string text;
  for (const YamlNode& item : node.items) text += (text.empty() ? "" : ", ") + flow_text(item);
  for (const YamlEntry& entry : node.entries)
    text += (text.empty() ? "" : ", ") + entry.key + ": " + flow_text(entry.value);
  return node.is_sequence() ? "[" + text + "]" : "{" + text + "}";
}

}  // namespace gdsim
