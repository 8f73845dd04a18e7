#pragma once

#include <gdsim/dispatch/policy_catalog.hpp>
#include <gdsim/scenario/model_library.hpp>
#include <gdsim/scenario/scenario.hpp>

#include <filesystem>

namespace gdsim {

/// Turns one scenario mapping, cases and overrides already applied, into a Scenario.
class ScenarioReader {
 public:
  ScenarioReader(std::filesystem::path near, ModelLibrary& models, const PolicyCatalog& policies);

  /// All problems are added; the result is usable only if there is none.
  Scenario read(const YamlNode& root, Diagnostics& problems) const;

 private:
  std::filesystem::path near_;
  ModelLibrary& models_;
  const PolicyCatalog& policies_;
};

}  // namespace gdsim
