#include <gdsim/infer/infer_rules.hpp>

#include <gdsim/compile/compile.hpp>
#include <gdsim/dispatch/placement/placements.hpp>
#include <gdsim/run/internal_run_options.hpp>
#include <gdsim/scenario/expectations/expectations.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace gdsim {
namespace {

/// The share of its time that a work-group takes if it ends early.
constexpr Decimal kEarly{8, -1};
/// The maximum number of work-groups of a kernel that are tried as the early one.
constexpr std::uint64_t kMaxEarly = 64;

std::vector<DispatchRules> combinations() {
  std::vector<DispatchRules> all;
  constexpr std::uint64_t max_ports = 7;
  for (const std::string_view placement : built_in_placements().placement_names())
    for (const Admission admission : {Admission::whole, Admission::partial, Admission::spread})
      for (std::uint64_t ports = 1; ports <= max_ports + 1; ++ports)
        for (const Handover handover : {Handover::never, Handover::barrier_or_slm, Handover::always}) {
          DispatchRules& rules = all.emplace_back();
          rules.placement = placement;
          rules.admission = admission;
          rules.ports = ports <= max_ports ? std::optional(ports) : std::nullopt;
          rules.handover = handover;
        }
  return all;
}

RuleKeys keys_of(const DispatchRules& rules) {
  constexpr std::array<const char*, 3> admissions{"whole", "partial", "spread"};
  constexpr std::array<const char*, 3> handovers{"never", "barrier_or_slm", "always"};
  return {word_key("placement", rules.placement),
          word_key("admission", admissions[static_cast<std::size_t>(rules.admission)]),
          rules.ports ? number_key("ports", *rules.ports) : word_key("ports", "unlimited"),
          word_key("handover", handovers[static_cast<std::size_t>(rules.handover)])};
}

/// Returns the scenario's rules, overridden by those that are tried.
DispatchRules laid_over(const DispatchRules& scenario_rules, const DispatchRules& tried) {
  DispatchRules rules = scenario_rules;
  rules.placement = tried.placement;
  rules.admission = tried.admission;
  rules.ports = tried.ports;
  rules.handover = tried.handover;
  return rules;
}

/// A work-group that ends early, or none.
struct Early {
  std::optional<std::pair<std::size_t, std::uint64_t>> group;  ///< kernel, and number
};

/// Returns the candidates for an early end: first none, then each work-group of kernels whose work-groups are all
/// alike.
std::vector<Early> earlies(const Scenario& scenario, OneEarly one_early) {
  std::vector<Early> all{Early{}};
  if (one_early == OneEarly::no) return all;
  for (std::size_t kernel = 0; kernel < scenario.workload.kernels.size(); ++kernel) {
    const Kernel& scenario_kernel = scenario.workload.kernels[kernel];
    if (!scenario_kernel.variation.factors.empty()) continue;
    for (std::uint64_t group = 0; group < std::min(scenario_kernel.range.group_count(), kMaxEarly); ++group)
      all.push_back({std::pair(kernel, group)});
  }
  return all;
}

std::string name_of(const Scenario& scenario, const Early& early) {
  if (!early.group) return {};
  return fmt::format("work-group {} of {}", early.group->second, scenario.workload.kernels[early.group->first].name);
}

enum class Answer : std::uint8_t { no, yes, interrupted };

/// Returns the answer whether a run under these rules shows the phases.
Answer shows_phases(const PhaseTarget& target, const DispatchRules& rules, const Early& early,
                    const RunOptions& options) {
  Workload workload = target.scenario->workload;
  if (early.group)
    workload.kernels[early.group->first].variation.factors = {{WorkGroupId{early.group->second}, kEarly, {}}};
  const Compilation compilation = compile(target.scenario->device, rules, std::move(workload));
  if (!compilation) return Answer::no;
  RunOptions own = options;
  own.min_phase = target.scenario->min_phase;
  const RunRecord record = simulate(compilation.value(), own, KeepAccounts::no).record;
  if (record.outcome == Outcome::interrupted) return Answer::interrupted;
  const bool all = std::all_of(target.phases.begin(), target.phases.end(), [&](const Expectation& expectation) {
    return evaluate_expectation(expectation, *target.scenario, {&record, nullptr, nullptr}).passed;
  });
  return all ? Answer::yes : Answer::no;
}

/// The result of one combination of rules.
struct Tried {
  std::vector<std::optional<std::size_t>> early;  ///< by target: the first one that shows the phases, if any
  std::uint64_t runs = 0;
  bool is_interrupted = false;
};

Tried try_rules(const std::vector<PhaseTarget>& targets, const std::vector<std::vector<Early>>& early,
                const DispatchRules& rules, const RunOptions& options) {
  Tried tried;
  tried.early.resize(targets.size());
  for (std::size_t i = 0; i < targets.size(); ++i)
    for (std::size_t j = 0; j < early[i].size() && !tried.early[i]; ++j) {
      ++tried.runs;
      const DispatchRules changed_rules = laid_over(targets[i].scenario->dispatch, rules);
      const Answer answer = shows_phases(targets[i], changed_rules, early[i][j], options);
      if (answer == Answer::interrupted) tried.is_interrupted = true;
      if (tried.is_interrupted) return tried;
      if (answer == Answer::yes) tried.early[i] = j;
    }
  return tried;
}

/// A key of `dispatch` with a value other than the scenario's.
struct OtherValue {
  std::string key;
  DispatchRules (*change)(DispatchRules rules);
};

const std::array<OtherValue, 5> kOtherValues{{{"tie_order",
                                               [](DispatchRules rules) {
                                                 rules.tie_order = TieOrder{TieOrder::Pattern::evens_then_odds, {}};
                                                 return rules;
                                               }},
                                              {"batch",
                                               [](DispatchRules rules) {
                                                 rules.batch = BatchRule{2, {}, {}};
                                                 return rules;
                                               }},
                                              {"kernel_choice",
                                               [](DispatchRules rules) {
                                                 const bool is_head = rules.kernel_choice == KernelChoice::head_only;
                                                 rules.kernel_choice =
                                                     is_head ? KernelChoice::round_robin : KernelChoice::head_only;
                                                 rules.own_kernel_choice.reset();
                                                 return rules;
                                               }},
                                              {"concurrent_kernels",
                                               [](DispatchRules rules) {
                                                 rules.concurrent_kernels = 1;
                                                 return rules;
                                               }},
                                              {"core_sharing", [](DispatchRules rules) {
                                                 const bool is_shared = rules.core_sharing == CoreSharing::shared;
                                                 rules.core_sharing =
                                                     is_shared ? CoreSharing::exclusive : CoreSharing::shared;
                                                 return rules;
                                               }}}};

/// Returns the keys for which another value gives the same series.
std::vector<std::string> keys_that_do_not_matter(const std::vector<PhaseTarget>& targets,
                                                 const std::vector<std::vector<Early>>& early,
                                                 const DispatchRules& rules, const Tried& found,
                                                 const RunOptions& options) {
  std::vector<std::string> keys;
  for (const OtherValue& other : kOtherValues) {
    bool all = true;
    for (std::size_t i = 0; all && i < targets.size(); ++i) {
      const DispatchRules changed_rules = other.change(laid_over(targets[i].scenario->dispatch, rules));
      all = shows_phases(targets[i], changed_rules, early[i][*found.early[i]], options) == Answer::yes;
    }
    if (all) keys.push_back(other.key);
  }
  return keys;
}

std::string sentence_of(const PhaseInference& inference) {
  const std::string what = inference.scenarios.size() == 1
                               ? std::string("the series")
                               : fmt::format("the series of all {} scenarios", inference.scenarios.size());
  const std::string tried = fmt::format("{} combinations of placement, admission, ports and handover", inference.tried);
  if (inference.policies.empty()) return fmt::format("None of {} gives {}.", tried, what);
  if (inference.policies.size() == 1)
    return fmt::format("Of {}, one gives {}: {}.", tried, what, to_yaml(inference.policies.front().rules));
  return fmt::format("Of {}, {} give {}, which does not distinguish them.", tried, inference.policies.size(), what);
}

}  // namespace

PhaseInference infer_policies(const std::vector<PhaseTarget>& targets, OneEarly one_early, const RunOptions& options,
                              Jobs jobs) {
  const std::vector<DispatchRules> rules = combinations();
  std::vector<std::vector<Early>> early;
  PhaseInference inference;
  for (const PhaseTarget& target : targets) {
    early.push_back(earlies(*target.scenario, one_early));
    inference.scenarios.push_back(target.name);
  }
  std::vector<Tried> tried(rules.size());
  parallel_for_in_order(
      rules.size(), jobs, [&](std::size_t i) { tried[i] = try_rules(targets, early, rules[i], options); },
      [&](std::size_t i) {
        inference.is_interrupted = inference.is_interrupted || tried[i].is_interrupted;
        return inference.is_interrupted ? Proceed::no : Proceed::yes;
      });
  if (inference.is_interrupted) return inference;
  inference.tried = rules.size();
  inference.fitting.assign(targets.size(), 0);
  for (std::size_t i = 0; i < rules.size(); ++i) {
    inference.runs += tried[i].runs;
    bool all = true;
    PhasePolicy policy{keys_of(rules[i]), {}};
    for (std::size_t j = 0; j < targets.size(); ++j) {
      const auto& found = tried[i].early[j];
      inference.fitting[j] += found ? 1U : 0U;
      all = all && found.has_value();
      policy.early.push_back(found ? name_of(*targets[j].scenario, early[j][*found]) : "");
    }
    if (!all) continue;
    if (inference.policies.empty())
      inference.not_told = keys_that_do_not_matter(targets, early, rules[i], tried[i], options);
    inference.policies.push_back(std::move(policy));
  }
  inference.verdict = inference.policies.empty()       ? Verdict::none
                      : inference.policies.size() == 1 ? Verdict::one
                                                       : Verdict::several;
  inference.sentence = sentence_of(inference);
  return inference;
}

}  // namespace gdsim
