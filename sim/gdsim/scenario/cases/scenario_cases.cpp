#include <gdsim/scenario/cases/scenario_cases.hpp>

#include <gdsim/base/text.hpp>
#include <gdsim/scenario/cases/added_parameters.hpp>
#include <gdsim/scenario/cases/override_value.hpp>
#include <gdsim/scenario/cases/short_paths.hpp>
#include <gdsim/scenario/keys/plain_name.hpp>
#include <gdsim/yaml/yaml_document.hpp>
#include <gdsim/yaml/yaml_path.hpp>

#include <utility>

namespace gdsim {

ScenarioCases::ScenarioCases(YamlNode file, const ReadOptions& options, SourceFiles& sources, Diagnostics& problems)
    : file_(std::move(file)), mark_(file_.mark) {
  std::vector<CaseDeclaration> declared{CaseDeclaration{}};
  if (const YamlNode* list = file_.is_mapping() ? file_.find("cases") : nullptr) {
    list_ = *list;
    mark_ = list_.mark;
    std::erase_if(file_.entries, [](const YamlEntry& entry) { return entry.key == "cases"; });
    declared = read_case_list(list_, ValueReader(problems));
  }
  choose(std::move(declared), options.only_case, problems);
  for (const Override& override_ : options.overrides) {
    const SourceText& text = sources.keep("--set " + override_.path, override_.value);
    if (auto value = read_yaml(text, problems)) overrides_.push_back({override_.path, std::move(*value)});
  }
}

void ScenarioCases::choose(std::vector<CaseDeclaration> declared, const std::string& name, Diagnostics& problems) {
  for (CaseDeclaration& one : declared)
    if (name.empty() || one.name == name) wanted_.push_back(std::move(one));
  if (wanted_.empty() && !name.empty()) problems.add(mark_, "there is no case " + in_quotes(name) + known_text());
}

const CaseDeclaration& ScenarioCases::only_one() const {
  if (wanted_.size() == 1) return wanted_.front();
  Diagnostics problems;
  problems.add(mark_, "the scenario has several cases; choose one with --case NAME" + known_text());
  throw InputError(problems.problems());
}

YamlNode ScenarioCases::scenario_of(const CaseDeclaration& one, Diagnostics& problems) {
  YamlNode root = wanted_.size() == 1 ? std::move(file_) : file_;
  std::vector<AddedParameter> added;
  const auto set = [&](const std::string& short_path, const YamlNode& value, const SourceMark& mark, const auto& put) {
    const std::string path = full_path(root, short_path);
    if (const auto hint = path_hint(root, path)) return problems.add(mark, *hint);
    if (auto name = added_parameter(root, path)) added.push_back({*std::move(name), mark});
    put(root, path, value, mark, problems);
  };
  if (one.set != nullptr)
    for (const YamlEntry& entry : one.set->entries) {
      set(entry.key, entry.value, entry.key_mark, set_path);
      require_plain_name(entry.key, "set", entry.key_mark, problems);
    }
  if (one.expect != nullptr) root.set("expect", one.expect->mark, *one.expect);
  for (const ReadOverride& override_ : overrides_)
    set(override_.path, override_.value, override_.value.mark, override_value);
  require_used(root, added, problems);
  return root;
}

/// `; known: a, b`, for a message about a case.
std::string ScenarioCases::known_text() const {
  constexpr std::size_t few = 50;
  std::string names;
  std::size_t count = 0;
  for (const YamlNode& one : list_.items)
    if (const YamlNode* name = one.find("name"); name != nullptr && ++count <= few)
      names += (names.empty() ? "" : ", ") + name->text;
  if (count > few) names += ", ...";
  return names.empty() ? "; the scenario has no cases" : "; known: " + names;
}

}  // namespace gdsim
