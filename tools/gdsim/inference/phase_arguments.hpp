#pragma once

#include "options/options.hpp"
#include <gdsim/infer/infer_rules.hpp>
#include <gdsim/scenario/read_scenario.hpp>

#include <deque>
#include <vector>

namespace gdsim::cli {

/// The scenarios of `gdsim infer` and the series that each must reproduce.
class PhaseArguments {
 public:
  /// Throws UsageError or InputError with all problems. `sources` must outlive this.
  PhaseArguments(const Options& options, SourceFiles& sources);

  const std::vector<PhaseTarget>& targets() const { return targets_; }

 private:
  std::deque<ScenarioCase> cases_;
  std::vector<PhaseTarget> targets_;
};

}  // namespace gdsim::cli
