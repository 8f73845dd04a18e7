#pragma once

#include <gdsim/base/in_order.hpp>
#include <gdsim/infer/inference.hpp>
#include <gdsim/report/sink.hpp>
#include <gdsim/run/simulate.hpp>
#include <gdsim/scenario/read_scenario.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace gdsim {

/// Whether a work-group that ends early is tried, too, if no work-groups of a scenario differ.
enum class OneEarly : std::uint8_t { no, yes };

/// A scenario and the required series of occupancies.
struct PhaseTarget {
  std::string name;
  const Scenario* scenario = nullptr;
  std::vector<Expectation> phases;  ///< items of `expect: phases`, all of which have to hold
};

/// Rules that give the required series of every scenario.
struct PhasePolicy {
  RuleKeys rules;
  std::vector<std::string> early;  ///< by scenario: the work-group that has to end early; empty: none
};

/// The rules that give the required series.
struct PhaseInference {
  std::vector<std::string> scenarios;
  std::vector<std::uint64_t> fitting;  ///< by scenario: number of rules that give its series
  std::vector<PhasePolicy> policies;   ///< policies that give all series
  std::uint64_t tried = 0;             ///< combinations of rules
  std::uint64_t runs = 0;
  std::vector<std::string> not_told;  ///< keys of `dispatch` with the scenario's value that do not matter
  Verdict verdict = Verdict::none;
  std::string sentence;
  bool is_interrupted = false;  ///< a stop was requested; all other members are empty
};

/// Runs every target under every combination of placement, admission, ports (1 to 7, and unlimited) and handover; all
/// other keys of dispatch are the scenario's. The result is the same with any number of jobs.
PhaseInference infer_policies(const std::vector<PhaseTarget>& targets, OneEarly one_early, const RunOptions& options,
                              Jobs jobs);

std::string phase_inference_text(const PhaseInference& inference);
void write_phase_inference_json(const PhaseInference& inference, Sink& sink);
void write_phase_inference_csv(const PhaseInference& inference, Sink& sink);

}  // namespace gdsim
