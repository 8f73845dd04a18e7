#include <gdsim/scenario/read_scenario.hpp>

#include <gdsim/scenario/cases/case_problems.hpp>
#include <gdsim/scenario/cases/scenario_cases.hpp>
#include <gdsim/scenario/cases/short_paths.hpp>
#include <gdsim/scenario/expressions/parameters.hpp>
#include <gdsim/scenario/keys/plain_name.hpp>
#include <gdsim/scenario/scenario_reader.hpp>
#include <gdsim/yaml/yaml_document.hpp>
#include <gdsim/yaml/yaml_path.hpp>
#include <gdsim/yaml/yaml_text.hpp>

#include <utility>

namespace gdsim {
namespace {

class FileReader {
 public:
  FileReader(const std::filesystem::path& near, const ReadOptions& options, SourceFiles& sources)
      : options_(options),
        sources_(sources),
        models_(options.models, sources),
        reader_(near, models_, OwnPolicies{options.own_placements, options.own_kernel_choices}, sources) {}

  std::vector<ScenarioCase> read(const SourceText& source) {
    auto root = read_yaml(source, problems_.of_file());
    if (root) read_cases(std::move(*root));
    if (!problems_.empty()) throw InputError(problems_.merged());
    return std::move(cases_);
  }

 private:
  void read_cases(YamlNode root) {
    const SourceText& text = *root.mark.source;
    reader_.keep_device_of(root);
    ScenarioCases cases(std::move(root), options_, sources_, problems_.of_file());
    const Refusals refusals = cases.wanted().size() > 1 ? Refusals::kept : Refusals::problems;
    for (const CaseDeclaration& one : cases.wanted()) {
      Diagnostics found;
      read_case(one, cases.scenario_of(one, found), refusals, found);
      problems_.add_case(one.name, found);
    }
    const bool is_as_written = cases_.size() == 1 && cases_.front().name.empty() && options_.overrides.empty();
    if (is_as_written) cases_.front().effective = text.text();
  }

  void read_case(const CaseDeclaration& declaration, YamlNode root, Refusals refusals, Diagnostics& found) {
    ScenarioCase result;
    result.name = declaration.name;
    result.scenario = reader_.read(root, found, refusals);
    result.effective = block_text(root);
    if (declaration.set != nullptr)
      for (const YamlEntry& entry : declaration.set->entries)
        result.values_set.emplace_back(entry.key, value_in_force(entry, root, found));
    result.scenario.file = root.mark.source->name();
    cases_.push_back(std::move(result));
  }

  /// Returns the value in effect for one that a case sets: the case's or, if set, the override's, expressions
  /// evaluated.
  static std::string value_in_force(const YamlEntry& set, const YamlNode& root, Diagnostics& found) {
    const YamlNode* effective = find_path(root, full_path(root, set.key));
    if (effective == nullptr) return flow_text(set.value);
    std::string value = flow_text(*effective);
    if (!number_of(value)) require_plain_name(value, "set", effective->mark, found);
    return value;
  }

  const ReadOptions& options_;
  SourceFiles& sources_;
  ModelLibrary models_;
  ScenarioReader reader_;
  CaseProblems problems_;
  std::vector<ScenarioCase> cases_;
};

}  // namespace

ScenarioFile read_scenario(const std::filesystem::path& file, const ReadOptions& options) {
  ScenarioFile read;
  read.cases = read_scenario(file, options, read.sources);
  return read;
}

std::vector<ScenarioCase> read_scenario(const std::filesystem::path& file, const ReadOptions& options,
                                        SourceFiles& sources) {
  return read_scenario(sources.read(file, "the scenario"), file == "-" ? "." : file.parent_path(), options, sources);
}

std::vector<ScenarioCase> read_scenario(const SourceText& source, const std::filesystem::path& near,
                                        const ReadOptions& options, SourceFiles& sources) {
  return FileReader(near, options, sources).read(source);
}

}  // namespace gdsim
