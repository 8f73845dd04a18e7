#include <gdsim/scenario/cases/scenario_cases.hpp>

#include <gdsim/base/keys.hpp>
#include <gdsim/base/text.hpp>
#include <gdsim/scenario/keys/map_reader.hpp>
#include <gdsim/scenario/keys/synonyms.hpp>
#include <gdsim/yaml/yaml_node.hpp>

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

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
         std::all_of(cases_.begin(), cases_.end(), [](const OfCase& of_case) { return of_case.problems.empty(); });
}

std::vector<Diagnostic> CaseProblems::merged() const {
  std::vector<Diagnostic> all = of_file_.problems();
  for (const OfCase& of_case : cases_) all.insert(all.end(), of_case.problems.begin(), of_case.problems.end());
  // Stable, so that problems of one place keep the order in which they were found. Equal problems are listed once.
  std::stable_sort(all.begin(), all.end(), [](const Diagnostic& a, const Diagnostic& b) {
    return std::tie(a.file, a.line, a.column) < std::tie(b.file, b.line, b.column);
  });
  std::map<Key, std::vector<std::string_view>> cases;
  for (const OfCase& of_case : cases_)
    for (const Diagnostic& problem : of_case.problems)
      if (auto& names = cases[key(problem)]; names.empty() || names.back() != of_case.name)
        names.push_back(of_case.name);
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
  for (CaseDeclaration& declaration : declared)
    if (name.empty() || declaration.name == name) wanted_.push_back(std::move(declaration));
  if (wanted_.empty() && !name.empty()) problems.add(mark_, "there is no case " + in_quotes(name) + known_text());
}

const CaseDeclaration& ScenarioCases::only_one() const {
  if (wanted_.size() == 1) return wanted_.front();
  Diagnostics problems;
  problems.add(mark_, "the scenario has several cases; choose one with --case NAME" + known_text());
  throw InputError(problems.problems());
}

YamlNode ScenarioCases::scenario_of(const CaseDeclaration& declaration, Diagnostics& problems) {
  YamlNode root = wanted_.size() == 1 ? std::move(file_) : file_;
  std::vector<AddedParameter> added;
  const auto set = [&](const std::string& short_path, const YamlNode& value, const SourceMark& mark, const auto& put) {
    const std::string path = full_path(root, short_path);
    if (const auto hint = path_hint(root, path)) return problems.add(mark, *hint);
    if (auto name = added_parameter(root, path)) added.push_back({*std::move(name), mark});
    put(root, path, value, mark, problems);
  };
  if (declaration.set != nullptr)
    for (const YamlEntry& entry : declaration.set->entries) {
      set(entry.key, entry.value, entry.key_mark, set_path);
      require_plain_name(entry.key, "set", entry.key_mark, problems);
    }
  if (declaration.expect != nullptr) root.set("expect", declaration.expect->mark, *declaration.expect);
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
  for (const YamlNode& item : list_.items)
    if (const YamlNode* name = item.find("name"); name != nullptr && ++count <= few)
      names += (names.empty() ? "" : ", ") + name->text;
  if (count > few) names += ", ...";
  return names.empty() ? "; the scenario has no cases" : "; known: " + names;
}

namespace {

bool is_of_name(char c) {
  return c == '_' || (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

/// Returns true if the text is an expression that contains this name.
bool is_in_expression(std::string_view text, std::string_view name) {
  if (!text.starts_with('=')) return false;
  for (std::size_t at = text.find(name); at != std::string_view::npos; at = text.find(name, at + 1)) {
    const std::size_t end = at + name.size();
    if (!is_of_name(text[at - 1]) && (end == text.size() || !is_of_name(text[end]))) return true;
  }
  return false;
}

bool is_used(const YamlNode& node, std::string_view name) {
  const auto in_entry = [name](const YamlEntry& entry) { return is_used(entry.value, name); };
  const auto in_item = [name](const YamlNode& item) { return is_used(item, name); };
  return is_in_expression(node.text, name) || std::any_of(node.entries.begin(), node.entries.end(), in_entry) ||
         std::any_of(node.items.begin(), node.items.end(), in_item);
}

/// `; known: tile, width`, or a note that there are none.
std::string known_text(const YamlNode& scenario, const std::vector<AddedParameter>& added, const std::string& name) {
  const auto is_added = [&added](const YamlEntry& entry) {
    return std::any_of(added.begin(), added.end(),
                       [&](const AddedParameter& parameter) { return parameter.name == entry.key; });
  };
  std::vector<std::string_view> known;
  if (const YamlNode* parameters = scenario.find("parameters"))
    for (const YamlEntry& entry : parameters->entries)
      if (!is_added(entry)) known.emplace_back(entry.key);
  return known.empty() ? "; the scenario has none" : "; " + known_names(name, known);
}

}  // namespace

std::optional<std::string> added_parameter(const YamlNode& scenario, std::string_view path) {
  const auto parts = path_parts(path);
  if (!parts || parts->size() != 2 || parts->front() != "parameters" || find_path(scenario, path) != nullptr)
    return std::nullopt;
  return parts->back();
}

void require_used(const YamlNode& scenario, const std::vector<AddedParameter>& added, Diagnostics& problems) {
  for (const AddedParameter& parameter : added)
    if (!is_used(scenario, parameter.name))
      problems.add(parameter.mark, "there is no parameter " + in_quotes(parameter.name) +
                                       ", and no expression uses it" + known_text(scenario, added, parameter.name));
}

namespace {

constexpr const char* kProgramSubGroup = "program_sub_group";

bool is_number(const YamlNode* node) {
  return node != nullptr && node->is_scalar() && !node->text.empty() &&
         std::all_of(node->text.begin(), node->text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

/// Returns the kernel whose `sub_group` the path names, or null if it names something else.
YamlNode* kernel_of_sub_group(YamlNode& scenario, std::string_view path) {
  const auto parts = path_parts(path);
  if (!parts || parts->size() != 3 || parts->front() != "kernels" || parts->back() != "sub_group") return nullptr;
  YamlNode* kernels = scenario.is_mapping() ? scenario.find("kernels") : nullptr;
  YamlNode* kernel = kernels != nullptr && kernels->is_mapping() ? kernels->find((*parts)[1]) : nullptr;
  return kernel != nullptr && kernel->is_mapping() ? kernel : nullptr;
}

}  // namespace

void override_value(YamlNode& scenario, std::string_view path, const YamlNode& value, const SourceMark& where,
                    Diagnostics& problems) {
  if (YamlNode* kernel = kernel_of_sub_group(scenario, path)) {
    const YamlNode* own = kernel->find("sub_group");
    if (is_number(own) && is_number(&value) && own->text != value.text && kernel->find(kProgramSubGroup) == nullptr)
      kernel->set(kProgramSubGroup, own->mark, YamlNode(*own));
  }
  set_path(scenario, path, value, where, problems);
}

namespace {

template <class Keys>
bool is_one_of(std::string_view name, const Keys& keys) {
  return std::find(keys.begin(), keys.end(), name) != keys.end();
}

/// A parameter `buffers` is older than the key of that name, and wins where the scenario has one.
bool is_key_of(const YamlNode& scenario, std::string_view first) {
  const YamlNode* parameters = scenario.find("parameters");
  const bool is_parameter = first == "buffers" && parameters != nullptr && parameters->find(first) != nullptr;
  return !is_parameter && is_one_of(first, keys::kScenario);
}

/// Returns the kernel's key that is called `first`, or that `first` means in another ecosystem; empty if there is none.
std::string_view key_of_kernel(std::string_view first) {
  if (is_one_of(first, keys::kKernel)) return first;
  const Synonym* synonym = synonym_of(first);
  return synonym != nullptr && is_one_of(synonym->key, keys::kKernel) ? synonym->key : std::string_view();
}

/// A name as one step of a path: in quotes, unless it is plain.
std::string step_of(std::string_view name) {
  const bool is_plain = std::all_of(name.begin(), name.end(),
                                    [](unsigned char c) { return std::isalnum(c) != 0 || c == '_' || c == '-'; });
  return is_plain ? std::string(name) : "\"" + std::string(name) + "\"";
}

/// `'gemm' is no key of a scenario; write kernels.gemm.registers`
std::string hint(std::string_view first, const std::string& meant) {
  return in_quotes(first) + " is no key of a scenario; write " + printable(meant);
}

}  // namespace

std::string full_path(const YamlNode& scenario, std::string_view path) {
  const std::string_view first = path.substr(0, path.find('.'));
  if (!scenario.is_mapping() || is_key_of(scenario, first)) return std::string(path);
  const YamlNode* parameters = scenario.find("parameters");
  if (parameters != nullptr && parameters->find(path) != nullptr) return "parameters." + std::string(path);
  const YamlNode* kernels = scenario.find("kernels");
  if (kernels == nullptr || !kernels->is_mapping() || kernels->entries.size() != 1 || key_of_kernel(first).empty())
    return std::string(path);
  return "kernels.\"" + kernels->entries.front().key + "\"." + std::string(path);
}

std::optional<std::string> path_hint(const YamlNode& scenario, std::string_view path) {
  constexpr std::array<std::string_view, 3> named{"kernels", "queues", "devices"};
  const std::string_view first = path.substr(0, path.find('.'));
  if (!scenario.is_mapping() || is_key_of(scenario, first)) return std::nullopt;
  for (const std::string_view group : named)
    if (const YamlNode* all = scenario.find(group); all != nullptr && all->find(first) != nullptr)
      return hint(first, std::string(group) + "." + step_of(first) + std::string(path.substr(first.size())));
  const YamlNode* kernels = scenario.find("kernels");
  const std::string_view key = key_of_kernel(first);
  if (kernels == nullptr || !kernels->is_mapping() || kernels->entries.size() < 2 || key.empty()) return std::nullopt;
  return hint(first, "kernels." + step_of(kernels->entries.front().key) + "." + std::string(key) +
                         std::string(path.substr(first.size())) + ", or another of the kernels");
}

}  // namespace gdsim
