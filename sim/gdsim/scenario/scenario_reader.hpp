#pragma once

#include <gdsim/dispatch/policy_catalog.hpp>
#include <gdsim/scenario/model_library.hpp>
#include <gdsim/scenario/scenario.hpp>

#include <filesystem>

namespace gdsim {

/// What becomes of it if the device refuses a scenario: a problem like others, or kept in it.
enum class Refusals : std::uint8_t { problems, kept };

/// Turns one scenario mapping, cases and overrides already applied, into a Scenario.
class ScenarioReader {
 public:
  ScenarioReader(std::filesystem::path near, ModelLibrary& models, const PolicyCatalog& policies);

  /// All problems are added; the result is usable only if there is none.
  Scenario read(const YamlNode& root, Diagnostics& problems, Refusals refusals) const;

 private:
  std::filesystem::path near_;
  ModelLibrary& models_;
  const PolicyCatalog& policies_;
};

}  // namespace gdsim
