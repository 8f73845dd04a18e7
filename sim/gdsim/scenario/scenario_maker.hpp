#pragma once

#include <gdsim/scenario/read_scenario.hpp>

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>

namespace gdsim {

/// A scenario file of which many scenarios are made that differ in a few values. The file and its models are read once.
/// For one thread at a time; several threads need one each.
///
///     gdsim::ScenarioMaker maker("gemm.yaml");
///     for (const char* tile : {"32", "64"}) {
///       const gdsim::Override value{"tile", tile};
///       const gdsim::Scenario one = maker.make({&value, 1});
///       std::cout << tile << ": " << one.workload.launches.size() << " launches\n";
///     }
class ScenarioMaker {
 public:
  /// Reads the file (`-`: standard input). Throws InputError with all problems if it is no YAML, if an override cannot
  /// be followed, or if it has several cases and `options` choose none.
  explicit ScenarioMaker(const std::filesystem::path& file, ReadOptions options = {});
  /// The same of a text, called `name` in messages. Paths of device files start from `near`.
  ScenarioMaker(std::string name, std::string text, std::filesystem::path near, ReadOptions options = {});
  ~ScenarioMaker();
  ScenarioMaker(const ScenarioMaker&) = delete;
  ScenarioMaker& operator=(const ScenarioMaker&) = delete;

  /// The scenario with these values in the place of its own, over those of `options`. Throws InputError with all
  /// problems, each with its place, also if the device refuses to run it. The places of its expectations are valid
  /// until the next call.
  Scenario make(std::span<const Override> values = {});

  /// So many values are remembered: memory does not follow how many different ones are given.
  static constexpr std::size_t kValuesKept = 4'096;

  /// Every text that was read so far: the scenario, then the models.
  const SourceFiles& sources() const;

 private:
  struct Parts;

  // Not a unique_ptr: <memory> takes longer to compile than this header.
  Parts* parts_;  ///< owned
};

}  // namespace gdsim
