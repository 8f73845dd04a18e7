#include "controls.hpp"
#include <gdsim/dispatch/placement/placements.hpp>
#include <gdsim/scenario/device/model_library.hpp>
#include <gdsim/yaml/yaml_node.hpp>
#include "playground_run.hpp"

#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace gdsim::playground {
namespace {

/// Dispatch rules that have a control. The schema lists the allowed words, except those of placements.
constexpr std::array<std::string_view, 4> kRules{"placement", "admission", "handover", "kernel_choice"};

std::string text_of(const YamlNode* node) { return node == nullptr ? "" : flow_text(*node); }

/// Returns a key as a part of a path.
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
  /// Begins an object up to its list of choices; close() must be called after the choices.
  JsonWriter& control(std::string_view kind, std::string_view path, std::string_view label, std::string_view value,
                      std::uint64_t max = 0) {
    json_.open_object().key("kind").text(kind).key("path").text(path).key("label").text(label);
    return json_.key("value").text(value).key("max").count(max).key("choices").open_list();
  }
  void close() { json_.close_list().close_object(); }

  void parameters(const YamlNode* all) {
    if (all == nullptr) return;
    for (const YamlEntry& one : all->entries) {
      control("parameter", "parameters." + part_of(one.key), one.key, flow_text(one.value));
      close();
    }
  }

  void kernels(const YamlNode* all) {
    if (all == nullptr) return;
    const DeviceSpec& device = scenario_.device;
    for (const YamlEntry& kernel : all->entries) {
      const std::string path = "kernels." + part_of(kernel.key) + ".";
      control("local", path + "local", kernel.key, text_of(kernel.value.find("local")), device.max_work_group_size);
      close();
      control("sub_group", path + "sub_group", kernel.key, text_of(kernel.value.find("sub_group")));
      for (const std::uint32_t size : device.sub_group_sizes) json_.text(std::to_string(size));
      close();
      control("slm", path + "slm", kernel.key, text_of(kernel.value.find("slm")),
              static_cast<std::uint64_t>(device.slm.per_work_group.count));
      close();
    }
  }

  void rules(const YamlNode& root) {
    Diagnostics ignored;
    const YamlNode* own = root.find("dispatch");
    const YamlNode* device = root.find("device");
    const std::filesystem::path near = std::filesystem::path(scenario_.file).parent_path();
    const auto resolved = device == nullptr ? std::nullopt : models_.resolve(*device, near, ValueReader(ignored));
    const YamlNode* of_device = resolved ? resolved->find("dispatch") : nullptr;
    for (const std::string_view key : kRules) {
      const YamlNode* value = own == nullptr ? nullptr : own->find(key);
      if (value == nullptr && of_device != nullptr) value = of_device->find(key);
      control("rule", "dispatch." + std::string(key), key, text_of(value));
      if (key == "placement")
        for (const std::string_view name : built_in_placements().placement_names()) json_.text(name);
      close();
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
