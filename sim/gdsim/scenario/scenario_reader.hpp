#pragma once

#include <gdsim/scenario/device/model_library.hpp>
#include <gdsim/scenario/devices/own_device.hpp>
#include <gdsim/scenario/expressions/evaluate_expressions.hpp>
#include <gdsim/scenario/read_scenario.hpp>
#include <gdsim/scenario/tables/work_group_tables.hpp>

#include <filesystem>
#include <string>
#include <vector>

namespace gdsim {

/// What becomes of it if the device refuses a scenario: a problem like others, or kept in it.
enum class Refusals : std::uint8_t { problems, kept };

/// Turns scenario mappings, cases and overrides already applied, into scenarios. What they have in common, such as
/// models, expressions and tables, is read once. May be used by one thread at a time.
class ScenarioReader {
 public:
  /// `own` may be named as placements. Throws InputError if their names cannot be told apart.
  ScenarioReader(std::filesystem::path near, ModelLibrary& models, std::vector<OwnPlacement> own, SourceFiles& sources);

  /// Remembers the device that the file names, before cases and overrides; a scenario that runs on another one records
  /// it in Workload::written_for.
  void keep_device_of(const YamlNode& file);

  /// Puts values in the place of the expressions of `root`, then reads it. All problems are added; the result is usable
  /// only if there is none.
  Scenario read(YamlNode& root, Diagnostics& problems, Refusals refusals = Refusals::problems);

 private:
  /// Of several devices, for `own`; null: the scenario is of one.
  Scenario read_whole(YamlNode& root, Diagnostics& problems, Refusals refusals, const OwnDevice* own = nullptr);

  std::filesystem::path near_;
  ModelLibrary& models_;
  std::vector<OwnPlacement> own_placements_;
  ExpressionCache expressions_;
  WorkGroupTables tables_;
  std::string device_of_file_;  ///< empty: it names none
};

}  // namespace gdsim
