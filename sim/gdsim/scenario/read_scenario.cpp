#include <gdsim/scenario/read_scenario.hpp>

#include <gdsim/scenario/case_problems.hpp>
#include <gdsim/scenario/keys.hpp>
#include <gdsim/scenario/map_reader.hpp>
#include <gdsim/scenario/scenario_reader.hpp>
#include <gdsim/scenario/yaml_document.hpp>
#include <gdsim/scenario/yaml_flow.hpp>
#include <gdsim/scenario/yaml_path.hpp>

#include <algorithm>
#include <set>
#include <utility>

namespace gdsim {
namespace {

/// A case as declared: its name, what it sets, what it expects.
struct CaseDeclaration {
  std::string name;
  const YamlNode* set = nullptr;
  const YamlNode* expect = nullptr;
};

/// A case's name becomes a folder's name, beside `cases.csv` and `summary.json`.
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

class FileReader {
 public:
  FileReader(const std::filesystem::path& file, const ReadOptions& options, SourceFiles& sources)
      : options_(options),
        sources_(sources),
        models_(options.models, sources),
        reader_(file == "-" ? "." : file.parent_path(), models_, options.policies) {}

  std::vector<ScenarioCase> read(const SourceText& source) {
    auto root = read_yaml(source, problems_.of_file());
    if (root) read_cases(*root);
    if (!problems_.empty()) throw InputError(problems_.merged());
    return std::move(cases_);
  }

 private:
  void read_cases(YamlNode& root) {
    const ValueReader values(problems_.of_file());
    const YamlNode* list = root.is_mapping() ? root.find("cases") : nullptr;
    if (list == nullptr) {
      const SourceMark mark = root.mark;
      read_case({}, std::move(root));
      require_case(mark);
      return;
    }
    const YamlNode declared = *list;
    declared_ = &declared;
    std::erase_if(root.entries, [](const YamlEntry& entry) { return entry.key == "cases"; });
    for (const CaseDeclaration& declaration : CaseListReader(values).read(declared))
      if (options_.only_case.empty() || declaration.name == options_.only_case) read_case(declaration, root);
    require_case(declared.mark);
  }

  void require_case(const SourceMark& where) {
    if (options_.only_case.empty() || (!cases_.empty() && !cases_.front().name.empty())) return;
    problems_.of_file().add(where, "there is no case '" + options_.only_case + "'" + known_cases());
  }

  /// `; known: a, b`, the first ones; nothing if the file has no cases.
  std::string known_cases() const {
    constexpr std::size_t few = 50;
    std::string names;
    for (std::size_t i = 0; declared_ != nullptr && i < declared_->items.size() && i < few; ++i)
      if (const YamlNode* name = declared_->items[i].find("name")) names += (names.empty() ? "" : ", ") + name->text;
    return names.empty() ? "" : "; known: " + names;
  }

  void read_case(const CaseDeclaration& declaration, YamlNode root) {
    ScenarioCase result;
    result.name = declaration.name;
    Diagnostics found;
    if (declaration.set != nullptr)
      for (const YamlEntry& entry : declaration.set->entries) {
        set_path(root, entry.key, entry.value, entry.key_mark, found);
        result.values_set.emplace_back(entry.key, flow_text(entry.value));
      }
    for (const Override& override_ : options_.overrides) apply(override_, root, found);
    for (auto& [path, value] : result.values_set)
      if (const YamlNode* effective = find_path(root, path)) value = flow_text(*effective);
    if (declaration.expect != nullptr) root.set("expect", declaration.expect->mark, *declaration.expect);
    result.scenario = reader_.read(root, found);
    result.scenario.file = root.mark.source->name();
    problems_.add_case(declaration.name, found);
    cases_.push_back(std::move(result));
  }

  void apply(const Override& override_, YamlNode& root, Diagnostics& found) {
    const SourceText& source = sources_.keep("--set " + override_.path, override_.value);
    if (const auto value = read_yaml(source, found)) set_path(root, override_.path, *value, value->mark, found);
  }

  const ReadOptions& options_;
  SourceFiles& sources_;
  ModelLibrary models_;
  ScenarioReader reader_;
  CaseProblems problems_;
  std::vector<ScenarioCase> cases_;
  const YamlNode* declared_ = nullptr;  ///< the list of cases while it is read
};

}  // namespace

std::vector<ScenarioCase> read_scenario(const std::filesystem::path& file, const ReadOptions& options,
                                        SourceFiles& sources) {
  const SourceText& source = sources.read(file);
  return FileReader(file, options, sources).read(source);
}

}  // namespace gdsim
