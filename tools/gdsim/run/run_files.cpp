#include "cases/cases_output.hpp"
#include "cases/earlier_run.hpp"
#include "options/shared_options.hpp"
#include "output/output_folder.hpp"
#include "run/run_files.hpp"
#include <gdsim/report/csv/csv_tables.hpp>
#include <gdsim/report/json/summary_json.hpp>

#include <filesystem>

namespace gdsim::cli {
namespace {

constexpr const char* kSamplesFile = "samples.csv";
constexpr const char* kCasesFile = "cases.csv";

}  // namespace

std::vector<NamedOutput> RunFiles::outputs(const std::vector<ScenarioCase>& cases) const {
  std::vector<NamedOutput> outputs;
  if (const auto trace = options_.value("trace")) outputs.push_back({"--trace " + *trace, *trace});
  const auto& folder = arguments_.folder;
  if (!folder) return outputs;
  if (!outputs.empty()) require_outside(outputs.front(), *folder);
  for (const auto& [part, names] : by_part(cases))
    for (const std::string& name : names)
      outputs.push_back({"-o " + *folder, std::filesystem::path(*folder) / part / name});
  return outputs;
}

std::map<std::string, std::vector<std::string>> RunFiles::by_part(const std::vector<ScenarioCase>& cases) const {
  std::map<std::string, std::vector<std::string>> files;
  for (const ScenarioCase& one : cases) {
    if (cases.size() > 1 && !one.scenario.refusals.empty()) continue;
    std::vector<std::string>& names = files[one.name];
    names = {kScenarioFile};
    for (const Format& format : tables_of(one.scenario)) names.emplace_back(format.file);
    if (arguments_.sample) names.emplace_back(kSamplesFile);
    if (!one.name.empty()) files[""] = {kCasesFile, kSummaryFile};
  }
  return files;
}

std::vector<Format> RunFiles::tables_of(const Scenario& scenario) const {
  std::vector<Format> tables = formats_;
  std::erase_if(tables, [&](const Format& format) { return lacks(scenario, format).has_value(); });
  return tables;
}

void RunFiles::add(const ScenarioCase& one, const CaseRun& run, OutputFolder& folder) const {
  RunReport report = run.report(changes_of(one, options_));
  add_scenario(one, folder);
  for (const Format& format : tables_of(one.scenario))
    if (format.file != kSummaryFile)
      folder.add(one.name, std::string(format.file), [&](Sink& sink) { format.write(report, sink); });
  if (const auto& sample = arguments_.sample)
    folder.add(one.name, kSamplesFile, [&](Sink& sink) { samples_table(*sample)->write(report, sink); });
  folder.add_summary(one.name, [&](Sink& sink, const FolderFacts& facts) {
    report.folder = facts;
    write_summary_json(report, sink);
  });
}

void RunFiles::add(const ScenarioCase& one, const DevicesOutput& output, OutputFolder& folder) const {
  add_scenario(one, folder);
  output.add_files(folder, formats_, arguments_.sample);
}

void RunFiles::add_cases(const CasesTable& cases, const std::string& title, OutputFolder& folder) {
  folder.add("", kCasesFile, [&](Sink& sink) { cases.write_csv(sink); });
  folder.add_summary("", [&](Sink& sink, const FolderFacts& facts) { cases.write_summary(title, facts, sink); });
}

void RunFiles::add_scenario(const ScenarioCase& one, OutputFolder& folder) {
  folder.add(one.name, kScenarioFile, [&](Sink& sink) { sink.write(one.effective); });
}

}  // namespace gdsim::cli
