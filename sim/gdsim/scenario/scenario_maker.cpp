#include <gdsim/scenario/read_scenario.hpp>

#include <gdsim/scenario/cases/scenario_template.hpp>

#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace gdsim {

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
  for (const Override& one : values) {
    try {
      if (const ScenarioValue* value = parts_->value_of(one, problems)) parsed.push_back(value);
    } catch (const InputError& error) {
      for (const Diagnostic& problem : error.problems()) problems.add(problem);
    }
  }
  problems.throw_if_any();
  return parts_->scenario->read(parsed);
}

const SourceFiles& ScenarioMaker::sources() const { return parts_->sources; }

}  // namespace gdsim
