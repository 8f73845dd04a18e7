#include "cases/case_run.hpp"
#include "cases/cases_table.hpp"
#include <gdsim/report/csv/csv_writer.hpp>
#include <gdsim/report/json/summary_json.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace gdsim::cli {
namespace {

std::string phases_text(const RunRecord& record) {
  constexpr std::size_t max_shown = 6;
  std::string text;
  for (std::size_t i = 0; i < record.phases.phases.size() && i < max_shown; ++i) {
    const Phase& phase = record.phases.phases[i];
    const std::string kind = phase.kind == PhaseShape::constant ? "" : std::string(name_of(phase.kind)) + " ";
    text += (i > 0 ? ", " : "") + kind + std::to_string(phase.resident);
  }
  return record.phases.phases.size() > max_shown ? text + ", ..." : text;
}

}  // namespace

void CasesTable::add(const ScenarioCase& one, const RunRecord& record, const std::optional<Answer>& answer) {
  rows_.push_back(
      {one.name, one.values_set, std::string(name_of(record.outcome)),
       Figures{has_durations(one.scenario) ? std::optional(record.duration()) : std::nullopt, record.peak_occupancy(),
               record.mean_occupancy(), phases_text(record), answer ? name_of(answer->finding.kind) : "-"}});
}

void CasesTable::add_refused(const ScenarioCase& one) {
  std::string outcome = "refused:";
  for (const Diagnostic& refusal : one.scenario.refusals) outcome += " " + refusal.code;
  rows_.push_back({one.name, one.values_set, std::move(outcome), std::nullopt});
}

std::string CasesTable::text() const {
  std::size_t width = 4;
  for (const Row& row : rows_) width = std::max(width, row.name.size());
  std::string text = fmt::format("{:<{}}  {:<11}  {:>16}  {:>7}  {:>7}  {:<10}  {}\n", "case", width, "outcome",
                                 "duration", "peak", "mean", "finding", "threads by phase");
  for (const Row& row : rows_)
    if (row.figures) {
      text += fmt::format("{:<{}}  {:<11}  {:>16}  {:>5} %  {:>5} %  {:<10}  {}\n", row.name, width, row.outcome,
                          row.figures->duration ? to_rounded_text(*row.figures->duration) : "-",
                          to_fixed(row.figures->peak_occupancy, 1), to_fixed(row.figures->mean_occupancy, 1),
                          row.figures->finding, row.figures->phases);
    } else {
      text += fmt::format("{:<{}}  {}\n", row.name, width, row.outcome);
    }
  return text;
}

/// Returns every path that some case sets, in the order of first use.
std::vector<std::string> CasesTable::paths() const {
  std::vector<std::string> paths;
  for (const Row& row : rows_)
    for (const auto& [path, value] : row.values_set)
      if (std::find(paths.begin(), paths.end(), path) == paths.end()) paths.push_back(path);
  return paths;
}

void CasesTable::write_csv(Sink& sink) const {
  const auto columns = paths();
  std::vector<std::string_view> header{"case"};
  header.insert(header.end(), columns.begin(), columns.end());
  header.insert(header.end(), {"duration_ns", "peak_occupancy_percent", "mean_occupancy_percent", "outcome"});
  CsvWriter csv(sink, header);
  for (const Row& row : rows_) {
    csv.text(row.name);
    for (const std::string& path : columns) {
      const auto set = std::find_if(row.values_set.begin(), row.values_set.end(),
                                    [&](const auto& value) { return value.first == path; });
      csv.text(set == row.values_set.end() ? "" : set->second);
    }
    if (row.figures) {
      csv.time(row.figures->duration).fraction(row.figures->peak_occupancy).fraction(row.figures->mean_occupancy);
    } else {
      csv.text("").text("").text("");
    }
    csv.text(row.outcome).end_row();
  }
  csv.finish();
}

void CasesTable::write_summary(const std::string& title, const FolderFacts& folder, Sink& sink) const {
  JsonWriter json;
  json.open_object();
  json.key("scenario").text(title);
  json.key("schema_version").count(1);
  json.key("cases").open_list();
  for (const Row& row : rows_) json.text(row.name);
  json.close_list();
  write_folder_facts(folder, json);
  json.close_object();
  sink.write(json.finish());
}

}  // namespace gdsim::cli
