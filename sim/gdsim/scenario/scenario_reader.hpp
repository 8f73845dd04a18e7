#pragma once

#include <gdsim/dispatch/policy_catalog.hpp>
#include <gdsim/scenario/evaluate_expressions.hpp>
#include <gdsim/scenario/model_library.hpp>
#include <gdsim/scenario/scenario.hpp>

#include <filesystem>

namespace gdsim {

/// Turns scenario mappings, cases and overrides already applied, into scenarios. What they have in common, such as
/// models and expressions, is read once. May be used by one thread at a time.
class ScenarioReader {
 public:
  ScenarioReader(std::filesystem::path near, ModelLibrary& models, const PolicyCatalog& policies);

  /// Puts values in the place of the expressions of `root`, then reads it. All problems are added; the result is usable
  /// only if there is none.
  Scenario read(YamlNode& root, Diagnostics& problems);

 private:
  std::filesystem::path near_;
  ModelLibrary& models_;
  const PolicyCatalog& policies_;
  ExpressionCache expressions_;
};

}  // namespace gdsim
