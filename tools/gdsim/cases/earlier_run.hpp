#pragma once

#include "options/options.hpp"

#include <gdsim/run/internal_run_options.hpp>
#include <gdsim/scenario/read_scenario.hpp>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace gdsim::cli {

// The folder of a run is not read back: its scenario is run again, with the same results. What `gdsim run` was asked
// beside its scenario does not count: `--timer`, `--sample`. A run that ended early is run again up to the same
// instant.

/// The file of the scenario as it was run, beside its tables. Its name does not clash with files of users.
inline constexpr const char* kScenarioFile = "scenario_as_run.yaml";

/// Returns true if the scenario that was read first into `sources` names files that are not in a folder of models.
bool names_files(const SourceFiles& sources, const Options& options);
/// Returns the folder from which a scenario's paths lead; `-` is standard input.
std::filesystem::path folder_of_scenario(const std::filesystem::path& file);

/// A run that `gdsim run -o DIR` wrote.
struct EarlierRun {
  std::string folder;               ///< as the user named it
  std::vector<ScenarioCase> cases;  ///< one; what was changed before it ran are its `values_set`
  std::optional<SimTime> end;       ///< nullopt: it has no times
  bool ended_early = false;         ///< it was interrupted, or came to a bound

  /// Returns these options, with a bound if the run ended early.
  InternalRunOptions bounded(InternalRunOptions options) const;
  /// Warns if the run ends otherwise now: with other models, or another version of gdsim.
  void compare_end(SimTime now) const;
};

/// Reads the folder of a run, and warns if another version of gdsim wrote it. Throws InputError, with all problems, if
/// it is none, or has not what is needed; for a folder with cases, the error names the cases.
EarlierRun read_earlier_run(const std::filesystem::path& folder, const Options& options, SourceFiles& sources);

/// Throws UsageError if an option changes scenarios, which a run that is over does not take.
void require_no_changes(const Options& options);

}  // namespace gdsim::cli
