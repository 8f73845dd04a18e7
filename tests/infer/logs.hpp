#pragma once

#include "support/builders.hpp"

#include <gdsim/infer/infer_rules.hpp>
#include <gdsim/infer/log/placement_log.hpp>

#include <algorithm>
#include <string>
#include <vector>

namespace gdsim::testing {

/// What is inferred from the text of a log, or the problems.
struct Inferred {
  Inference inference;
  std::string problems;

  /// Every set of rules that fits, as YAML.
  std::vector<std::string> fitting() const {
    std::vector<std::string> rules;
    for (const RuleCandidate& one : inference.candidates)
      if (one.fits) rules.push_back(to_yaml(one));
    return rules;
  }
  bool has(const std::string& part) const {
    const auto rules = fitting();
    return std::any_of(rules.begin(), rules.end(),
                       [&](const std::string& one) { return one.find(part) != std::string::npos; });
  }
};

inline Inferred infer(const std::string& text, const DeviceSpec& device, Jobs jobs = {1}) {
  const SourceText source("log.csv", text);
  Diagnostics problems;
  Inferred inferred;
  try {
    PlacementLog log = read_placement_log(source, device.id, problems);
    problems.throw_if_any();
    inferred.inference = infer_rules({source, std::move(log), device, built_in_placements(), jobs}, problems);
    problems.throw_if_any();
  } catch (const InputError& error) {
    inferred.problems = error.what();
  }
  return inferred;
}

/// A log with times of what ran: `work_group,core,start_ps,end_ps,threads`.
inline std::string log_of(const FullRun& run, std::uint32_t threads) {
  std::string text = "work_group,core,start_ps,end_ps,threads,threads_first_placed\n";
  std::uint64_t number = 0;
  for (const WorkGroupRecord& one : run.work_groups.records_of(launch(0)))
    text += std::to_string(number++) + "," + std::to_string(index_of(one.core)) + "," +
            std::to_string(one.first_placed.count) + "," + std::to_string(one.ended.value().count) + "," +
            std::to_string(threads) + "," + std::to_string(threads) + "\n";
  return text;
}

}  // namespace gdsim::testing
