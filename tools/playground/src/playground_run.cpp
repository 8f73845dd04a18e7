#include "playground_run.hpp"
#include <gdsim/analysis/run_view.hpp>
#include <gdsim/analysis/words.hpp>
#include <gdsim/base/text.hpp>
#include <gdsim/page/html/html_report.hpp>
#include <gdsim/points/point_notes.hpp>
#include <gdsim/points/run_point.hpp>
#include <gdsim/report/sink.hpp>
#include <gdsim/scenario/cases/scenario_cases.hpp>
#include <gdsim/scenario/compile_scenario.hpp>
#include <gdsim/yaml/yaml_node.hpp>

#include <filesystem>
#include <utility>

namespace gdsim::playground {
namespace {

constexpr const char* kScenarioFile = "scenario_as_run.yaml";

/// Returns true if the format applies: only a repeated run has repetitions, only a device with `core_groups` has
/// groups, and only preemption makes slices.
bool can_write(const Format& format, const Scenario& scenario) {
  if (format.keeps == Keeps::repetitions) return scenario.repeat > 1;
  if (format.keeps == Keeps::processes) return scenario.dispatch.preemption.has_value();
  return format.keeps != Keeps::core_groups || !scenario.device.core_groups.empty();
}

std::set<Keeps> kept_by_page(const Scenario& scenario) {
  std::set<Keeps> keeps{Keeps::timeline, Keeps::cores, Keeps::group_states, Keeps::waits, Keeps::tiles};
  if (may_keep_group_lives(scenario.workload)) keeps.insert(Keeps::work_groups);
  if (scenario.repeat > 1) keeps.insert(Keeps::repetitions);
  return keeps;
}

}  // namespace

PlaygroundRun::PlaygroundRun(Request request) : request_(std::move(request)) {
  const SourceText& source = sources_.keep(request_.name, request_.text);
  if (request_.only_case.empty())
    if (const auto names = case_names(request_.text); names && !names->empty()) request_.only_case = names->front();
  ReadOptions options;
  options.models = {kModels};
  options.only_case = request_.only_case;
  options.overrides = request_.overrides;
  cases_ = read_scenario(source, std::filesystem::path(request_.name).parent_path(), options, sources_);
  const Scenario& scenario = cases_.front().scenario;
  if (!scenario.refusals.empty()) throw InputError(scenario.refusals);
  compiled_.emplace(compile_scenario(scenario));
  kept_ = std::make_unique<const KeptRun>(scenario, *compiled_, kept_by_page(scenario), InternalRunOptions{});
  notes_ = further_notes(scenario, kept_->result(), {});
  if (kept_->record().outcome == Outcome::completed && !is_without_duration(scenario.workload))
    answer_ = answer_of(scenario, kept_->report(), {});
}

RunReport PlaygroundRun::report(const KeptRun& run) const {
  std::vector<std::string> changes;
  for (const auto& [path, value] : scenario().values_set) changes.push_back(path + " = " + value);
  for (const Override& one : request_.overrides) changes.push_back("--set " + one.path + "=" + one.value);
  RunReport report = run.report(std::move(changes), notes_);
  report.answer = answer_;
  return report;
}

std::string PlaygroundRun::page() const {
  if (!has_durations(scenario().scenario))
    return "<!DOCTYPE html>\n<html lang=\"en\"><title>No times</title><p>The program of a kernel is a placeholder, so "
           "that "
           "there are no times to show; write its steps.</p></html>\n";
  RunView view = view_of(report(*kept_));
  view.scenario = scenario().effective;
  TextSink sink;
  write_html_report(view, sink);
  return sink.take();
}

std::vector<std::string> PlaygroundRun::files() const {
  std::vector<std::string> names{kScenarioFile};
  for (const Format& format : built_in_formats())
    if (can_write(format, scenario().scenario)) names.emplace_back(format.file);
  return names;
}

std::string PlaygroundRun::file(std::string_view name) const {
  if (name == kScenarioFile) return scenario().effective;
  for (const Format& format : built_in_formats()) {
    if (format.file != name || !can_write(format, scenario().scenario)) continue;
    std::set<Keeps> keeps{format.keeps};
    if (format.keeps == Keeps::waits) keeps.insert(Keeps::timeline);
    const KeptRun run(scenario().scenario, *compiled_, keeps, InternalRunOptions{});
    TextSink sink;
    format.write(report(run), sink);
    return sink.take();
  }
  throw InputError("there is no file " + in_quotes(std::string(name)) + " of this run");
}

std::optional<std::vector<std::string>> case_names(const std::string& text) {
  const SourceText source("", text);
  Diagnostics ignored;  // read_scenario() reports them
  const auto root = read_yaml(source, ignored);
  if (!root) return std::nullopt;
  std::vector<std::string> names;
  if (const YamlNode* cases = root->find("cases"))
    for (const CaseDeclaration& one : read_case_list(*cases, ValueReader(ignored))) names.push_back(one.name);
  return names;
}

}  // namespace gdsim::playground
