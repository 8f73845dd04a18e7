#pragma once

#include "cases/case_run.hpp"
#include "cases/cases_output.hpp"
#include "output/sinks.hpp"
#include "run/run_arguments.hpp"
#include <gdsim/analysis/notes/device_notes.hpp>

#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace gdsim::cli {

/// What `gdsim run` shows on standard output: a table, samples, or text and a chart for a person.
class RunDisplay {
 public:
  /// All must outlive this. Throws UsageError if something is asked for that only one case can have.
  RunDisplay(const RunArguments& arguments, const Options& options, const std::vector<ScenarioCase>& cases,
             StandardOutput& out);

  /// Adds the data that a run must keep for text and chart.
  void add_needs(std::set<Keeps>& needed) const;
  void show(const ScenarioCase& one, const CaseRun& run);
  void show(const DevicesOutput& output);
  /// Shows several cases side by side, and what is to be noted of them.
  void show(const CasesTable& cases, const CaseNotes& notes);

 private:
  enum class Chart : std::uint8_t {
    no,
    yes,
    too_large  ///< to be drawn without --chart
  };

  Chart choose_chart(const std::vector<ScenarioCase>& cases) const;
  ChartStyle chart_style() const;
  void show_chart(const std::string& chart);

  const RunArguments& arguments_;
  const Options& options_;
  StandardOutput& out_;
  bool has_text_;  ///< for a person
  bool is_single_;
  Chart chart_;
};

}  // namespace gdsim::cli
