#include <gdsim/yaml/yaml_node.hpp>

#include <gdsim/base/text.hpp>

#include <charconv>
#include <optional>
#include <string>
#include <vector>

namespace gdsim {

YamlNode YamlEntry::key_node() const {
  YamlNode node;
  node.text = key;
  node.mark = key_mark;
  return node;
}

const YamlNode* YamlNode::find(std::string_view key) const {
  for (const YamlEntry& entry : entries)
    if (entry.key == key) return &entry.value;
  return nullptr;
}

YamlNode* YamlNode::find(std::string_view key) {
  for (YamlEntry& entry : entries)
    if (entry.key == key) return &entry.value;
  return nullptr;
}

void YamlNode::set(std::string_view key, const SourceMark& key_mark, YamlNode value) {
  if (YamlNode* existing = find(key)) {
    *existing = std::move(value);
    return;
  }
  entries.push_back({std::string(key), key_mark, std::move(value)});
}

std::string describe(const YamlNode& node) {
  switch (node.kind) {
    case YamlNode::Shape::sequence: return "a list";
    case YamlNode::Shape::mapping: return "a mapping";
    case YamlNode::Shape::scalar: break;
  }
  return node.is_missing() ? "nothing" : in_quotes(node.text);
}

namespace {

const YamlNode* child(const YamlNode& node, const std::string& part) {
  if (node.is_mapping()) return node.find(part);
  const auto index = entry_number(part);
  return node.is_sequence() && index && *index < node.items.size() ? &node.items[*index] : nullptr;
}

/// Replaces a device given by name with a mapping that has it as `base`, so that single values can be changed.
void open_device(YamlNode& node) {
  YamlNode mapping;
  mapping.kind = YamlNode::Shape::mapping;
  mapping.mark = node.mark;
  const SourceMark mark = node.mark;
  mapping.set("base", mark, std::move(node));
  node = std::move(mapping);
}

/// Follows one part of a path into `node`, and makes a mapping for it if needed. Returns null if it cannot be followed.
YamlNode* enter(YamlNode& node, const std::string& part, const SourceMark& where) {
  if (node.is_sequence()) {
    const auto index = entry_number(part);
    return index && *index < node.items.size() ? &node.items[*index] : nullptr;
  }
  if (!node.is_mapping()) return nullptr;
  if (node.find(part) == nullptr) {
    YamlNode missing;
    missing.kind = YamlNode::Shape::mapping;
    missing.mark = where;
    node.set(part, where, std::move(missing));
  }
  return node.find(part);
}

/// `; known: a, b; did you mean 'a'?`, or an empty text.
std::string known_keys(const YamlNode& node, const std::string& found) {
  std::vector<std::string_view> keys;
  for (const YamlEntry& entry : node.entries) keys.emplace_back(entry.key);
  return keys.empty() ? "" : "; " + known_names(found, keys);
}

std::string why_not(const YamlNode& node, const std::string& part) {
  if (node.is_sequence())
    return "there is no entry " + part + " in a list of " + std::to_string(node.items.size()) + ", numbered from 0";
  return describe(node) + " has no key " + in_quotes(part);
}

bool begins_with_digit(const std::string& text) { return !text.empty() && text[0] >= '0' && text[0] <= '9'; }

/// Returns the path with quotes around these two of its parts, if they look like one key of a mapping with a dot; else
/// empty.
std::string with_quoted_key(const YamlNode& node, const std::vector<std::string>& parts, std::size_t at) {
  if (!node.is_mapping() || at + 1 >= parts.size() || !entry_number(parts[at]) || !begins_with_digit(parts[at + 1]) ||
      node.find(parts[at]) != nullptr)
    return {};
  std::string path;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    path += i == at ? ".\"" + parts[i] : "." + parts[i];
    if (i == at + 1) path += '"';
  }
  return path.substr(1);
}

}  // namespace

std::optional<std::vector<std::string>> path_parts(std::string_view path) {
  std::vector<std::string> parts;
  while (true) {
    std::string part;
    if (path.starts_with('"')) {
      const auto end = path.find('"', 1);
      if (end == std::string_view::npos) return std::nullopt;
      part = path.substr(1, end - 1);
      path.remove_prefix(end + 1);
      if (!path.empty() && path.front() != '.') return std::nullopt;
    } else {
      part = path.substr(0, path.find('.'));
      path.remove_prefix(part.size());
    }
    if (part.empty()) return std::nullopt;
    parts.push_back(std::move(part));
    if (path.empty()) return parts;
    path.remove_prefix(1);
  }
}

std::optional<std::size_t> entry_number(std::string_view part) {
  std::size_t value = 0;
  const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), value);
  if (error != std::errc() || end != part.data() + part.size()) return std::nullopt;
  return value;
}

SourceMark mark_of(const YamlNode& root, std::string_view path) {
  const YamlNode* node = &root;
  const auto parts = path_parts(path);
  if (!parts) return node->mark;
  for (const std::string& part : *parts) {
    const YamlNode* next = child(*node, part);
    if (next == nullptr) break;
    node = next;
  }
  return node->mark;
}

SourceMark key_mark_of(const YamlNode& root, std::string_view path) {
  const std::size_t dot = path.rfind('.');
  const std::string_view key = path.substr(dot == std::string_view::npos ? 0 : dot + 1);
  const YamlNode* node = dot == std::string_view::npos ? &root : find_path(root, path.substr(0, dot));
  if (node != nullptr)
    for (const YamlEntry& entry : node->entries)
      if (entry.key == key) return entry.key_mark;
  return mark_of(root, path);
}

const YamlNode* find_path(const YamlNode& root, std::string_view path) {
  const YamlNode* node = &root;
  const auto parts = path_parts(path);
  if (!parts) return nullptr;
  for (const std::string& part : *parts)
    if (node != nullptr) node = child(*node, part);
  return node;
}

void set_path(YamlNode& root, std::string_view path, const YamlNode& value, const SourceMark& where,
              Diagnostics& problems) {
  const auto parts = path_parts(path);
  if (!parts) {
    problems.add(where, in_quotes(path) + " is not a path such as kernels.k.global");
    return;
  }
  if (parts->front() == "cases") {
    problems.add(where, "cases cannot be set; set what a case is to change");
    return;
  }
  YamlNode* node = &root;
  for (std::size_t i = 0; i < parts->size(); ++i) {
    const std::string& part = (*parts)[i];
    if (i == 1 && parts->front() == "device" && node->is_scalar()) open_device(*node);
    if (i == 2 && parts->front() == "devices" && node->is_scalar()) open_device(*node);
    if (i == 1 && parts->front() == "devices" && parts->size() > 2 && node->find(part) == nullptr) {
      problems.add(where, std::string(path) + ": there is no device " + in_quotes(part) + known_keys(*node, part));
      return;
    }
    if (i == 1 && parts->front() == "kernels" && parts->size() > 2 && node->find(part) == nullptr) {
      problems.add(where, std::string(path) + ": there is no kernel " + in_quotes(part) + known_keys(*node, part));
      return;
    }
    if (const std::string quoted = with_quoted_key(*node, *parts, i); !quoted.empty()) {
      problems.add(where, std::string(path) + ": a key with a dot is written in double quotes: " + quoted);
      return;
    }
    YamlNode* next = enter(*node, part, where);
    if (next == nullptr) {
      problems.add(where, std::string(path) + ": " + why_not(*node, part));
      return;
    }
    node = next;
  }
  *node = value;
}

}  // namespace gdsim
