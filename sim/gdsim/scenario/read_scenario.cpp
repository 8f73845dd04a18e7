#include <gdsim/scenario/read_scenario.hpp>

#include <gdsim/scenario/cases/scenario_cases.hpp>
#include <gdsim/scenario/device/read_device.hpp>
#include <gdsim/scenario/expressions/parameters.hpp>
#include <gdsim/scenario/keys/map_reader.hpp>
#include <gdsim/scenario/scenario_reader.hpp>
#include <gdsim/yaml/yaml_node.hpp>

#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

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
    for (const CaseDeclaration& declaration : cases.wanted()) {
      Diagnostics found;
      read_case(declaration, cases.scenario_of(declaration, found), refusals, found);
      problems_.add_case(declaration.name, found);
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

struct ScenarioMaker::Parts {
  /// A parsed value, and the text to which its places refer.
  struct Kept {
    std::unique_ptr<SourceText> text;
    ScenarioValue value;
  };

  Parts(const std::filesystem::path& file, ReadOptions read)
      : options(std::move(read)), source(&sources.read(file, "the scenario")) {
    scenario.emplace(*source, file == "-" ? "." : file.parent_path(), options, sources);
  }
  Parts(std::string name, std::string text, std::filesystem::path near, ReadOptions read)
      : options(std::move(read)), source(&sources.keep(std::move(name), std::move(text))) {
    scenario.emplace(*source, std::move(near), options, sources);
  }

  const ScenarioValue* value_of(const Override& given, Diagnostics& problems) {
    const auto known = values.find(std::pair(given.path, given.value));
    if (known != values.end()) return &known->second.value;
    auto text = std::make_unique<SourceText>("set " + given.path, given.value);
    auto parsed = ScenarioTemplate::parse_value(scenario->settable_path(given.path, "set"), *text, problems);
    if (!parsed) return nullptr;
    Kept& kept = values[std::pair(given.path, given.value)];
    kept = {std::move(text), std::move(*parsed)};
    return &kept.value;
  }

  ReadOptions options;
  SourceFiles sources;
  const SourceText* source;
  std::optional<ScenarioTemplate> scenario;
  std::map<std::pair<std::string, std::string>, Kept> values;  ///< by path and text
};

ScenarioMaker::ScenarioMaker(const std::filesystem::path& file, ReadOptions options)
    : parts_(std::make_unique<Parts>(file, std::move(options))) {}

ScenarioMaker::ScenarioMaker(std::string name, std::string text, std::filesystem::path near, ReadOptions options)
    : parts_(std::make_unique<Parts>(std::move(name), std::move(text), std::move(near), std::move(options))) {}

ScenarioMaker::~ScenarioMaker() = default;

Scenario ScenarioMaker::make(std::span<const Override> values) {
  if (parts_->values.size() + values.size() > kValuesKept) parts_->values.clear();
  Diagnostics problems;
  std::vector<const ScenarioValue*> parsed;
  parsed.reserve(values.size());
  for (const Override& given : values) {
    try {
      if (const ScenarioValue* value = parts_->value_of(given, problems)) parsed.push_back(value);
    } catch (const InputError& error) {
      for (const Diagnostic& problem : error.problems()) problems.add(problem);
    }
  }
  problems.throw_if_any();
  return parts_->scenario->read(parsed);
}

const SourceFiles& ScenarioMaker::sources() const { return parts_->sources; }

DeviceSpec read_device_model(const std::string& name_or_path, const std::vector<std::filesystem::path>& folders) {
  SourceFiles sources;
  ModelLibrary models(folders, sources);
  YamlNode reference;
  reference.text = name_or_path;
  reference.style = YamlNode::Style::quoted;  // a name, even if it looks like a number or a path
  Diagnostics problems;
  auto device = read_device(reference, ".", models, ValueReader(problems));
  problems.throw_if_any();
  return std::move(device.value());
}

}  // namespace gdsim
