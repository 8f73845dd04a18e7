#include <gdsim/scenario/cases/scenario_cases.hpp>

#include <gdsim/base/text.hpp>
#include <gdsim/scenario/cases/overrides.hpp>
#include <gdsim/scenario/keys/keys.hpp>
#include <gdsim/scenario/keys/map_reader.hpp>
#include <gdsim/yaml/yaml_document.hpp>
#include <gdsim/yaml/yaml_path.hpp>

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

namespace gdsim {
namespace {

/// Returns true if the text can be the name of a folder: a case's folder is next to `cases.csv` and `summary.json`.
bool is_folder_name(const std::string& name) {
  constexpr std::size_t longest = 200;  // bytes; file systems allow 255
  return name.size() <= longest && name.front() != '.' && name != "cases.csv" && name != "summary.json" &&
         name.find('/') == std::string::npos && name.find('\\') == std::string::npos &&
         std::none_of(name.begin(), name.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20; });
}

class CaseListReader {
 public:
  explicit CaseListReader(const ValueReader& values) : values_(values) {}

  std::vector<CaseDeclaration> read(const YamlNode& node) {
    if (values_.list(node, "cases") == nullptr) return {};
    if (node.items.empty()) values_.fail(node, "cases", "is empty; at least one case is needed");
    std::vector<CaseDeclaration> cases;
    for (const YamlNode& item : node.items) cases.push_back(read_case(item));
    return cases;
  }

 private:
  CaseDeclaration read_case(const YamlNode& node) {
    const MapReader map(node, "case", keys::kCase, values_);
    CaseDeclaration declaration;
    if (const YamlNode* name = map.require("name")) read_name(*name, declaration.name);
    declaration.expect = map.find("expect");
    if (const YamlNode* set = map.find("set"); set != nullptr && values_.mapping(*set, "set") != nullptr)
      declaration.set = set;
    return declaration;
  }

  void read_name(const YamlNode& node, std::string& name) {
    const auto text = values_.text(node, "name");
    if (!text) return;
    name = *text;
    require_plain_name(name, "name", node.mark, values_.problems());
    if (!is_folder_name(name))
      values_.fail(
          node, "name",
          describe(node) +
              " cannot be the name of a folder of its own; at most 200 bytes, without '/', '\\' and a '.' in front");
    if (!names_.insert(name).second) values_.fail(node, "name", "two cases are called " + describe(node));
  }

  const ValueReader& values_;
  std::set<std::string> names_;
};

}  // namespace

std::vector<CaseDeclaration> read_case_list(const YamlNode& node, const ValueReader& values) {
  return CaseListReader(values).read(node);
}

namespace {

/// Two problems with equal keys are the same problem.
using Key = std::tuple<std::string_view, std::uint32_t, std::uint32_t, std::string_view>;

Key key(const Diagnostic& problem) { return {problem.file, problem.line, problem.column, problem.message}; }

/// ` (case n44)`; empty if the problem is in no case or in all.
std::string cases_text(const std::vector<std::string_view>& cases, std::size_t all) {
  constexpr std::size_t few = 5;
  if (cases.empty() || cases.size() == all) return {};
  std::string names;
  for (std::size_t i = 0; i < std::min(few, cases.size()); ++i) names.append(i == 0 ? "" : ", ").append(cases[i]);
  return (cases.size() == 1 ? " (case " : " (cases ") + names + (cases.size() > few ? ", ..." : "") + ")";
}

}  // namespace

bool CaseProblems::empty() const {
  return of_file_.empty() &&
         std::all_of(cases_.begin(), cases_.end(), [](const OfCase& one) { return one.problems.empty(); });
}

std::vector<Diagnostic> CaseProblems::merged() const {
  std::vector<Diagnostic> all = of_file_.problems();
  for (const OfCase& one : cases_) all.insert(all.end(), one.problems.begin(), one.problems.end());
  // Stable, so that problems of one place keep the order in which they were found. Equal problems are listed once.
  std::stable_sort(all.begin(), all.end(), [](const Diagnostic& a, const Diagnostic& b) {
    return std::tie(a.file, a.line, a.column) < std::tie(b.file, b.line, b.column);
  });
  std::map<Key, std::vector<std::string_view>> cases;
  for (const OfCase& one : cases_)
    for (const Diagnostic& problem : one.problems)
      if (auto& names = cases[key(problem)]; names.empty() || names.back() != one.name) names.push_back(one.name);
  std::vector<Diagnostic> once;
  std::set<Key> seen;
  for (const Diagnostic& problem : all) {
    if (!seen.insert(key(problem)).second) continue;
    once.push_back(problem);
    const auto found = cases.find(key(problem));
    if (found != cases.end()) once.back().message += cases_text(found->second, cases_.size());
  }
  return once;
}

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
