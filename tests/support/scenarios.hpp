#pragma once

#include <gdsim/scenario/read_scenario.hpp>

#include <string>
#include <vector>

namespace gdsim::testing {

/// A scenario text, read with the models of this source tree. It owns the texts.
struct ReadText {
  SourceFiles sources;
  std::vector<ScenarioCase> cases;
  std::string problems;  ///< all of them, if it was refused

  const Scenario& scenario() const { return cases.at(0).scenario; }
};
ReadText read_text(const std::string& text, ReadOptions options = {});

/// One kernel `k` of 8 work-groups of 1 thread on `tiny`, launched once, followed by `more`.
std::string plain_scenario(const std::string& more = {});

}  // namespace gdsim::testing
