#include <gdsim/scenario/scenario_template.hpp>

#include <gdsim/scenario/case_list.hpp>
#include <gdsim/scenario/short_paths.hpp>
#include <gdsim/scenario/yaml_document.hpp>
#include <gdsim/scenario/yaml_flow.hpp>
#include <gdsim/scenario/yaml_path.hpp>

#include <algorithm>

namespace gdsim {
namespace {

/// The case that is wanted, of those that the scenario declares.
const CaseDeclaration& chosen_case(const std::vector<CaseDeclaration>& cases, const YamlNode& list,
                                   const std::string& name, Diagnostics& problems) {
  const auto found = std::find_if(cases.begin(), cases.end(), [&](const auto& one) { return one.name == name; });
  if (found != cases.end()) return *found;
  problems.add(list.mark, (name.empty() ? std::string("the scenario has several cases; choose one with --case NAME")
                                        : "there is no case '" + name + "'") +
                              known_cases_text(&list));
  throw InputError(problems.problems());
}

void apply_case(const CaseDeclaration& one, YamlNode& root, Diagnostics& problems) {
  if (one.set != nullptr)
    for (const YamlEntry& entry : one.set->entries)
      set_path(root, full_path(root, entry.key), entry.value, entry.key_mark, problems);
  if (one.expect != nullptr) root.set("expect", one.expect->mark, *one.expect);
}

}  // namespace

ScenarioTemplate::ScenarioTemplate(const SourceText& source, std::filesystem::path near, const ReadOptions& options,
                                   SourceFiles& sources)
    : source_(source),
      near_(std::move(near)),
      models_(options.models, sources),
      policies_(options.policies != nullptr ? *options.policies : built_in_policies()),
      reader_(near_, models_, policies_, sources) {
  Diagnostics problems;
  auto root = read_yaml(source_, problems);
  problems.throw_if_any();
  root_ = std::move(*root);
  const YamlNode* list = root_.is_mapping() ? root_.find("cases") : nullptr;
  if (list != nullptr) {
    const YamlNode declared = *list;
    const auto cases = read_case_list(declared, ValueReader(problems));
    problems.throw_if_any();
    std::erase_if(root_.entries, [](const YamlEntry& entry) { return entry.key == "cases"; });
    apply_case(chosen_case(cases, declared, options.only_case, problems), root_, problems);
  } else if (!options.only_case.empty()) {
    problems.add(root_.mark, "there is no case '" + options.only_case + "'; the scenario has no cases");
  }
  for (const Override& override_ : options.overrides) {
    const SourceText& text = sources.keep("--set " + override_.path, override_.value);
    if (const auto value = read_yaml(text, problems))
      set_path(root_, full_path(root_, override_.path), *value, value->mark, problems);
  }
  problems.throw_if_any();
}

std::string ScenarioTemplate::settable_path(const std::string& path, const std::string& option) const {
  std::string full = full_path(root_, path);
  Diagnostics problems;
  YamlNode tried = root_;
  set_path(tried, full, YamlNode{}, {}, problems);
  if (!problems.empty()) throw InputError(option + ": " + problems.problems().front().message);
  return full;
}

std::optional<ScenarioValue> ScenarioTemplate::parse_value(std::string path, const SourceText& text,
                                                           Diagnostics& problems) {
  auto value = read_yaml(text, problems);
  if (!value) return std::nullopt;
  return ScenarioValue{std::move(path), std::move(*value)};
}

Scenario ScenarioTemplate::read(std::span<const ScenarioValue* const> values) {
  Diagnostics problems;
  YamlNode root = root_;
  for (const ScenarioValue* one : values) set_path(root, one->path, one->value, one->value.mark, problems);
  Scenario scenario = reader_.read(root, problems);
  problems.throw_if_any();
  scenario.file = source_.name();
  return scenario;
}

std::optional<std::string> ScenarioTemplate::own_value(const std::string& path) {
  Diagnostics ignored;
  YamlNode root = root_;
  reader_.read(root, ignored);
  if (const YamlNode* value = find_path(root, path)) return flow_text(*value);
  const YamlNode* device = root.find("device");
  if (device == nullptr || !path.starts_with("device.")) return std::nullopt;
  const auto resolved = models_.resolve(*device, near_, ValueReader(ignored));
  const YamlNode* value = resolved ? find_path(*resolved, path.substr(std::string_view("device.").size())) : nullptr;
  if (value == nullptr) return std::nullopt;
  return flow_text(*value);
}

}  // namespace gdsim
