#pragma once

#include <gdsim/explain/explain.hpp>

#include <catch2/catch.hpp>

#include <algorithm>
#include <string>

namespace gdsim::testing {

/// Returns the run of the explanation in which this was changed. Requires that there is one.
inline const ChangedRun& changed_run(const Explanation& explanation, const std::string& what) {
  const auto found = std::find_if(explanation.changed_runs.begin(), explanation.changed_runs.end(),
                                  [&](const ChangedRun& run) { return run.what == what; });
  INFO(what);
  REQUIRE(found != explanation.changed_runs.end());
  return *found;
}

}  // namespace gdsim::testing
