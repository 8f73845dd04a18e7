#include <gdsim/yaml/yaml_flow.hpp>

namespace gdsim {

std::string flow_text(const YamlNode& node) {
  if (node.is_scalar()) return node.text;
  std::string text;
  for (const YamlNode& item : node.items) text += (text.empty() ? "" : ", ") + flow_text(item);
  for (const YamlEntry& entry : node.entries)
    text += (text.empty() ? "" : ", ") + entry.key + ": " + flow_text(entry.value);
  return node.is_sequence() ? "[" + text + "]" : "{" + text + "}";
}

}  // namespace gdsim
