#include <gdsim/yaml/yaml_node.hpp>

#include <gdsim/base/text.hpp>

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
    case YamlNode::Kind::sequence: return "a list";
    case YamlNode::Kind::mapping: return "a mapping";
    case YamlNode::Kind::scalar: break;
  }
  return node.is_missing() ? "nothing" : in_quotes(node.text);
}

}  // namespace gdsim
