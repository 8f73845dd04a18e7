#include <gdsim/scenario/workload/read_children.hpp>

#include <gdsim/scenario/keys/keys.hpp>

#include <algorithm>
#include <string_view>
#include <unordered_map>

namespace gdsim {
namespace {

using Names = std::unordered_map<std::string_view, KernelId>;

void fail_unknown(const YamlNode& name, const Names& kernels, const ValueReader& values) {
  std::vector<std::string_view> known(kernels.size());
  for (const auto& [kernel, id] : kernels) known[index_of(id)] = kernel;
  values.fail(name, "launch", "there is no kernel " + describe(name) + "; " + known_names(name.text, known));
}

/// Reads one step. Returns false if the launched kernel is unknown.
bool read_child(const YamlNode& node, const Names& kernels, LaunchChild& child, const ValueReader& values) {
  const MapReader map(node, "launch", keys::kChild, values);
  if (!map.is_usable()) return false;
  bool wait = false;
  map.read("wait", wait, &ValueReader::truth);
  if (wait) child.wait = ChildWait::yes;
  const YamlNode* name = map.require("kernel");
  if (name == nullptr || !values.text(*name, "kernel")) return false;
  const auto found = kernels.find(name->text);
  if (found == kernels.end()) {
    fail_unknown(*name, kernels, values);
    return false;
  }
  child.kernel = found->second;
  return true;
}

}  // namespace

void read_children(const YamlNode& node, std::vector<Kernel>& kernels, const ValueReader& values) {
  if (!node.is_mapping()) return;
  Names names;
  for (const Kernel& kernel : kernels) names.emplace(kernel.name, static_cast<KernelId>(names.size()));
  for (std::size_t i = 0; i < kernels.size(); ++i) {
    const YamlNode* program = node.entries[i].value.find("program");
    if (program == nullptr || !program->is_sequence()) continue;
    Program& steps = kernels[i].program;
    auto step = steps.begin();
    for (const YamlNode& item : program->items) {
      const YamlNode* launch = item.is_mapping() && item.entries.size() == 1 ? item.find("launch") : nullptr;
      if (launch == nullptr) continue;
      const auto is_child = [](const Step& s) { return std::holds_alternative<LaunchChild>(s); };
      step = std::find_if(step, steps.end(), is_child);
      step = read_child(*launch, names, std::get<LaunchChild>(*step), values) ? step + 1 : steps.erase(step);
    }
    for (Program& other : kernels[i].group_programs.others)
      for (std::size_t at = 0; at < std::min(steps.size(), other.size()); ++at)
        if (std::holds_alternative<LaunchChild>(other[at])) other[at] = steps[at];
  }
}

}  // namespace gdsim
