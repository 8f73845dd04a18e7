#include <gdsim/scenario/workload/read_variants.hpp>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace gdsim {
namespace {

/// Finds the marked nodes below the node, in the order of their numbers.
void find_marked(YamlNode& node, std::uint32_t YamlNode::*number, std::vector<YamlNode*>& found) {
  if (node.is_scalar() && node.*number > 0) {
    found.resize(std::max<std::size_t>(found.size(), node.*number), nullptr);
    found[node.*number - 1] = &node;
  }
  for (YamlNode& item : node.items) find_marked(item, number, found);
  for (YamlEntry& entry : node.entries) find_marked(entry.value, number, found);
}

}  // namespace

bool read_variants(const YamlNode& node, const Variants& variants,
                   const std::function<void(const YamlNode&, std::size_t, const ValueReader&)>& read,
                   const ValueReader& values) {
  YamlNode filled = node;
  std::vector<YamlNode*> marked;
  find_marked(filled, variants.number, marked);
  for (std::size_t set = 0; set < variants.values.texts.size(); ++set) {
    for (std::size_t i = 0; i < marked.size(); ++i) {
      marked[i]->text = variants.values.texts[set][i];
      marked[i]->style = YamlNode::Style::plain;
      marked[i]->is_computed = true;
    }
    Diagnostics found;
    read(filled, set, ValueReader(found));
    for (Diagnostic problem : found.problems()) {
      problem.message +=
          " (" + std::string(variants.what) + " " + std::to_string(variants.values.first_group[set]) + ")";
      values.problems().add(std::move(problem));
    }
    if (!found.empty()) return false;
  }
  return true;
}

}  // namespace gdsim
