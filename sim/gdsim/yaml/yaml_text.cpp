#include <gdsim/yaml/yaml_text.hpp>

#include <algorithm>
#include <cctype>

namespace gdsim {
namespace {

bool is_word(const std::string& text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '_' || c == '.' || c == '-';
  }) && text.front() != '-';
}

/// Keeps plain text plain, as it was read; its meaning can change here only if lines were joined.
std::string scalar(const YamlNode& node) {
  if (node.is_missing()) return {};
  const bool is_plain = node.style == YamlNode::Style::plain && node.text.find('\n') == std::string::npos &&
                        node.text.find(": ") == std::string::npos && node.text.find(" #") == std::string::npos;
  return is_plain ? node.text : double_quoted(node.text);
}

void append(std::string& text, const YamlNode& node, std::size_t indent, bool is_behind_dash);

/// Appends the value after `key:` or `-`: on the same line if it is short, else below it.
void append_value(std::string& text, const YamlNode& node, std::size_t indent, bool is_item) {
  if (node.is_scalar()) {
    const std::string value = scalar(node);
    text += (value.empty() ? "" : " ") + value + "\n";
  } else if (node.items.empty() && node.entries.empty()) {
    text += node.is_sequence() ? " []\n" : " {}\n";
  } else if (is_item && node.is_mapping()) {
    text += " ";
    append(text, node, indent + 2, true);
  } else {
    text += "\n";
    append(text, node, indent + 2, false);
  }
}

void append(std::string& text, const YamlNode& node, std::size_t indent, bool is_behind_dash) {
  bool is_first = is_behind_dash;
  const auto begin_line = [&] {
    if (!is_first) text += std::string(indent, ' ');
    is_first = false;
  };
  for (const YamlNode& item : node.items) {
    begin_line();
    text += "-";
    append_value(text, item, indent, true);
  }
  for (const YamlEntry& entry : node.entries) {
    begin_line();
    text += (is_word(entry.key) ? entry.key : double_quoted(entry.key)) + ":";
    append_value(text, entry.value, indent, false);
  }
}

}  // namespace

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
  if (root.is_scalar()) return scalar(root) + "\n";
  if (root.items.empty() && root.entries.empty()) return root.is_sequence() ? "[]\n" : "{}\n";
  std::string text;
  append(text, root, 0, false);
  return text;
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
