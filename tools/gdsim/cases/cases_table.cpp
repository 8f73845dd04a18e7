#include "cases/cases_table.hpp"
#include <gdsim/report/json/summary_json.hpp>
#include <gdsim/report/result_table.hpp>
#include "cases/case_run.hpp"

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
  using Align = TextTable::Align;
  TextTable table({{"case", Align::left, 4},
                   {"outcome", Align::left, 11},
                   {"duration", Align::right, 16},
                   {"peak", Align::right, 7},
                   {"mean", Align::right, 7},
                   {"finding", Align::left, 10},
                   {"threads by phase"}});
  for (const Row& row : rows_)
    if (row.figures)
      table.add({row.name, row.outcome, row.figures->duration ? to_rounded_text(*row.figures->duration) : "-",
                 to_fixed(row.figures->peak_occupancy, 1) + " %", to_fixed(row.figures->mean_occupancy, 1) + " %",
                 std::string(row.figures->finding), row.figures->phases});
    else
      table.add({row.name, row.outcome});
  return table.text();
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
  const auto figure = [](auto value) {
    return [value](const Row& row) { return row.figures ? ResultValue(value(*row.figures)) : ResultValue(); };
  };
  ResultColumns<Row> columns{{"case", "", [](const Row& row) { return row.name; }}};
  for (const std::string& path : paths())
    columns.add({path, "", [path](const Row& row) {
                   const auto set = std::find_if(row.values_set.begin(), row.values_set.end(),
                                                 [&](const auto& value) { return value.first == path; });
                   return set == row.values_set.end() ? std::string() : set->second;
                 }});
  columns.add({"duration_ns", "",
               figure([](const Figures& all) { return all.duration ? ResultValue(*all.duration) : ResultValue(); })});
  columns.add({"peak_occupancy_percent", "", figure([](const Figures& all) { return all.peak_occupancy; })});
  columns.add({"mean_occupancy_percent", "", figure([](const Figures& all) { return all.mean_occupancy; })});
  columns.add({"outcome", "", [](const Row& row) { return row.outcome; }});
  columns.write_csv(rows_, sink);
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
