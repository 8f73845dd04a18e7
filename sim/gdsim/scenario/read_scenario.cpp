#include <gdsim/scenario/read_scenario.hpp>

#include <gdsim/scenario/case_list.hpp>
#include <gdsim/scenario/case_problems.hpp>
#include <gdsim/scenario/parameters.hpp>
#include <gdsim/scenario/plain_name.hpp>
#include <gdsim/scenario/scenario_reader.hpp>
#include <gdsim/scenario/short_paths.hpp>
#include <gdsim/scenario/yaml_block.hpp>
#include <gdsim/scenario/yaml_document.hpp>
#include <gdsim/scenario/yaml_flow.hpp>
#include <gdsim/scenario/yaml_path.hpp>

#include <algorithm>
#include <utility>

namespace gdsim {
namespace {

class FileReader {
 public:
  FileReader(const std::filesystem::path& near, const ReadOptions& options, SourceFiles& sources)
      : options_(options),
        sources_(sources),
        models_(options.models, sources),
        policies_(options.policies != nullptr ? *options.policies : built_in_policies()),
        reader_(near, models_, policies_, sources) {}

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
      if (!cases_.empty() && options_.overrides.empty()) cases_.back().effective = mark.source->text();
      return;
    }
    const YamlNode declared = *list;
    declared_ = &declared;
    std::erase_if(root.entries, [](const YamlEntry& entry) { return entry.key == "cases"; });
    const auto declarations = read_case_list(declared, values);
    const bool are_many = options_.only_case.empty() && declarations.size() > 1;
    for (const CaseDeclaration& declaration : declarations)
      if (options_.only_case.empty() || declaration.name == options_.only_case) read_case(declaration, root, are_many);
    require_case(declared.mark);
  }

  void require_case(const SourceMark& where) {
    if (options_.only_case.empty() || (!cases_.empty() && !cases_.front().name.empty())) return;
    problems_.of_file().add(where, "there is no case '" + options_.only_case + "'" + known_cases_text(declared_));
  }

  void read_case(const CaseDeclaration& declaration, YamlNode root, bool is_one_of_many = false) {
    ScenarioCase result;
    result.name = declaration.name;
    Diagnostics found;
    if (declaration.set != nullptr)
      for (const YamlEntry& entry : declaration.set->entries) {
        set_path(root, full_path(root, entry.key), entry.value, entry.key_mark, found);
        result.values_set.emplace_back(entry.key, flow_text(entry.value));
        require_plain_name(entry.key, "set", entry.key_mark, found);
      }
    for (const Override& override_ : options_.overrides) apply(override_, root, found);
    if (declaration.expect != nullptr) root.set("expect", declaration.expect->mark, *declaration.expect);
    result.scenario = reader_.read(root, found, is_one_of_many ? Refusals::kept : Refusals::problems);
    result.effective = block_text(root);
    for (auto& [path, value] : result.values_set) {
      const YamlNode* effective = find_path(root, full_path(root, path));
      if (effective == nullptr) continue;
      value = flow_text(*effective);
      if (!number_of(value)) require_plain_name(value, "set", effective->mark, found);
    }
    result.scenario.file = root.mark.source->name();
    problems_.add_case(declaration.name, found);
    cases_.push_back(std::move(result));
  }

  void apply(const Override& override_, YamlNode& root, Diagnostics& found) {
    const SourceText& source = sources_.keep("--set " + override_.path, override_.value);
    if (const auto value = read_yaml(source, found))
      set_path(root, full_path(root, override_.path), *value, value->mark, found);
  }

  const ReadOptions& options_;
  SourceFiles& sources_;
  ModelLibrary models_;
  PolicyCatalog policies_;
  ScenarioReader reader_;
  CaseProblems problems_;
  std::vector<ScenarioCase> cases_;
  const YamlNode* declared_ = nullptr;  ///< the list of cases while it is read
};

}  // namespace

std::vector<ScenarioCase> read_scenario(const std::filesystem::path& file, const ReadOptions& options,
                                        SourceFiles& sources) {
  return read_scenario(sources.read(file), file == "-" ? "." : file.parent_path(), options, sources);
}

std::vector<ScenarioCase> read_scenario(const SourceText& source, const std::filesystem::path& near,
                                        const ReadOptions& options, SourceFiles& sources) {
  return FileReader(near, options, sources).read(source);
}

}  // namespace gdsim
