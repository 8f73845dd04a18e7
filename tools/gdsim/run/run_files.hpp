#pragma once

#include "cases/case_run.hpp"
#include "cases/cases_output.hpp"
#include "output/named_outputs.hpp"
#include "output/output_folder.hpp"
#include "run/run_arguments.hpp"

#include <map>
#include <string>
#include <vector>

namespace gdsim::cli {

/// The files that `gdsim run` writes: every table that a scenario can have, into the folder of `-o`, and a trace.
class RunFiles {
 public:
  /// Both must outlive this.
  RunFiles(const RunArguments& arguments, const Options& options) : arguments_(arguments), options_(options) {}

  /// Returns the trace and every file that a folder will hold. Throws UsageError if the trace lies in that folder.
  std::vector<NamedOutput> outputs(const std::vector<ScenarioCase>& cases) const;
  /// Returns the files that each part of the folder will hold.
  std::map<std::string, std::vector<std::string>> by_part(const std::vector<ScenarioCase>& cases) const;
  /// Returns the tables that the scenario can have.
  std::vector<Format> tables_of(const Scenario& scenario) const;

  /// Adds the files of a case to the folder.
  void add(const ScenarioCase& one, const CaseRun& run, OutputFolder& folder) const;
  void add(const ScenarioCase& one, const DevicesOutput& output, OutputFolder& folder) const;
  /// Adds the files of the folder that holds the cases.
  static void add_cases(const CasesTable& cases, const std::string& title, OutputFolder& folder);

 private:
  static void add_scenario(const ScenarioCase& one, OutputFolder& folder);

  const RunArguments& arguments_;
  const Options& options_;
  std::vector<Format> formats_ = built_in_formats();
};

}  // namespace gdsim::cli
