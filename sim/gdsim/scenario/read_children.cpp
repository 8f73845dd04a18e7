#include <gdsim/scenario/read_children.hpp>

#include <gdsim/scenario/keys.hpp>

#include <algorithm>

namespace gdsim {
namespace {

void fail_unknown(const YamlNode& name, const std::vector<Kernel>& kernels, const ValueReader& values) {
  std::vector<std::string_view> known;
  for (const Kernel& kernel : kernels) known.push_back(kernel.name);
  const std::string hint = did_you_mean(name.text, known);
  values.fail(name, "launch",
              "there is no kernel " + describe(name) + "; known: " + join(known) + (hint.empty() ? "" : ";" + hint));
}

/// False if it is not known which kernel is launched.
bool read_child(const YamlNode& node, const std::vector<Kernel>& kernels, LaunchChild& child,
                const ValueReader& values) {
  const MapReader map(node, "launch", keys::kChild, values);
  if (!map.is_usable()) return false;
  bool wait = false;
  map.read("wait", wait, &ValueReader::truth);
  if (wait) child.wait = ChildWait::yes;
  const YamlNode* name = map.require("kernel");
  if (name == nullptr || !values.text(*name, "kernel")) return false;
  const auto found =
      std::find_if(kernels.begin(), kernels.end(), [&](const Kernel& kernel) { return kernel.name == name->text; });
  if (found == kernels.end()) {
    fail_unknown(*name, kernels, values);
    return false;
  }
  child.kernel = static_cast<KernelId>(found - kernels.begin());
  return true;
}

}  // namespace

void read_children(const YamlNode& node, std::vector<Kernel>& kernels, const ValueReader& values) {
  if (!node.is_mapping()) return;
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
      step = read_child(*launch, kernels, std::get<LaunchChild>(*step), values) ? step + 1 : steps.erase(step);
    }
  }
}

}  // namespace gdsim
