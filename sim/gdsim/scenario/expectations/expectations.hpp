#pragma once

#include <gdsim/record/part_timelines.hpp>
#include <gdsim/record/run_record.hpp>
#include <gdsim/record/wait_log.hpp>
#include <gdsim/scenario/keys/map_reader.hpp>
#include <gdsim/scenario/scenario.hpp>
#include <gdsim/workload/workload.hpp>

#include <string>
#include <vector>

namespace gdsim {

/// Reads `expect:` about `launches`. All problems are added.
std::vector<Expectation> read_expectations(const YamlNode& node, const std::vector<Launch>& launches,
                                           const ValueReader& values);

/// The result of one expectation, with both sides as text.
struct ExpectationResult {
  bool passed = false;  ///< it holds, or for a known gap: it does not hold
  std::string expected;
  std::string found;
  std::string tolerance;  ///< `exact`, `0.1 percentage points`, `2 %`, `1 us`
};

/// The results of a run. `work_groups` and `cores` may be empty unless needs_work_groups() and needs_cores().
struct RunData {
  const RunRecord* record = nullptr;
  const WorkGroupLog* work_groups = nullptr;
  const CoreTimeline* cores = nullptr;
};

/// Returns true if the evaluation needs the core of each work-group.
bool needs_work_groups(const std::vector<Expectation>& expectations);
/// Returns true if the evaluation needs each core over time.
bool needs_cores(const std::vector<Expectation>& expectations);

/// Evaluates one expectation of `scenario`. Without a record, the scenario was refused.
ExpectationResult evaluate_expectation(const Expectation& expectation, const Scenario& scenario,
                                       const RunData& evidence);

}  // namespace gdsim
