#include "controls.hpp"

#include "play.hpp"

#include <gdsim/dispatch/policy_catalog.hpp>
#include <gdsim/scenario/device/model_library.hpp>
#include <gdsim/yaml/yaml_document.hpp>
#include <gdsim/yaml/yaml_flow.hpp>

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gdsim::playground {
namespace {

/// Rules of dispatch that have a control. The words that are allowed stand in the schema, but for placements.
constexpr std::array<std::string_view, 4> kRules{"placement", "admission", "handover", "kernel_choice"};
constexpr std::array<std::string_view, 3> kOfKernel{"local", "sub_group", "slm"};

std::string text_of(const YamlNode* node) { return node == nullptr ? "" : flow_text(*node); }

/// A key as a part of a path.
std::string part_of(const std::string& key) { return key.find('.') == std::string::npos ? key : '"' + key + '"'; }

class Controls {
 public:
  Controls(const ScenarioCase& one, JsonWriter& json)
      : scenario_(one.scenario), json_(json), source_("", one.effective), models_({kModels}, sources_) {}

  void write() {
    json_.open_list();
    Diagnostics ignored;  // the scenario was run
    if (const auto root = read_yaml(source_, ignored)) {
      parameters(root->find("parameters"));
      kernels(root->find("kernels"));
      rules(*root);
    }
    json_.close_list();
  }

 private:
  void control(std::string_view kind, std::string_view path, std::string_view label, std::string_view value,
               const std::vector<std::string>& choices = {}) {
    json_.open_object().key("kind").text(kind).key("path").text(path).key("label").text(label);
    json_.key("value").text(value).key("choices").open_list();
    for (const std::string& choice : choices) json_.text(choice);
    json_.close_list().close_object();
  }

  void parameters(const YamlNode* all) {
    if (all == nullptr) return;
    for (const YamlEntry& one : all->entries)
      control("parameter", "parameters." + part_of(one.key), one.key, flow_text(one.value));
  }

  void kernels(const YamlNode* all) {
    if (all == nullptr) return;
    std::vector<std::string> sizes;
    for (const std::uint32_t size : scenario_.device.sub_group_sizes) sizes.push_back(std::to_string(size));
    for (const YamlEntry& kernel : all->entries)
      for (const std::string_view key : kOfKernel)
        control(key, "kernels." + part_of(kernel.key) + "." + std::string(key), kernel.key,
                text_of(kernel.value.find(key)), key == "sub_group" ? sizes : std::vector<std::string>());
  }

  void rules(const YamlNode& root) {
    Diagnostics ignored;
    const YamlNode* own = root.find("dispatch");
    const YamlNode* device = root.find("device");
    const auto resolved = device == nullptr ? std::nullopt : models_.resolve(*device, "", ValueReader(ignored));
    const YamlNode* of_device = resolved ? resolved->find("dispatch") : nullptr;
    for (const std::string_view key : kRules) {
      const YamlNode* value = own == nullptr ? nullptr : own->find(key);
      if (value == nullptr && of_device != nullptr) value = of_device->find(key);
      std::vector<std::string> choices;
      if (key == "placement")
        for (const std::string_view name : built_in_policies().placement_names()) choices.emplace_back(name);
      control("rule", "dispatch." + std::string(key), key, text_of(value), choices);
    }
  }

  const Scenario& scenario_;
  JsonWriter& json_;
  SourceText source_;
  SourceFiles sources_;
  ModelLibrary models_;
};

}  // namespace

void write_controls(const ScenarioCase& one, JsonWriter& json) { Controls(one, json).write(); }

}  // namespace gdsim::playground
