#include <gdsim/study/counterfactual.hpp>

#include <gdsim/study/counterfactual_changes.hpp>

#include <utility>

namespace gdsim {
namespace {

/// The catalog: in the order in which equal savings are listed.
std::vector<CounterfactualChange> catalog(const Scenario& scenario) {
  std::vector<CounterfactualChange> changes{
      {"no_tail", spread_tails}, {"barriers_free", remove_barriers}, {"memory_unlimited", raise_memory_limits}};
  const auto& memory = scenario.device.memory;
  for (std::size_t i = 0; memory && i < memory->levels.size(); ++i)
    changes.push_back({"level_unlimited:" + memory->levels[i].name,
                       [i](const Baseline& run, Scenario& changed) { return raise_level_bandwidth(run, changed, i); }});
  changes.insert(changes.end(), {{"issue_unlimited", give_own_issue_slots},
                                 {"slm_conflict_free", remove_slm_conflicts},
                                 {"slm_unlimited", give_own_slm_banks},
                                 {"registers_unlimited", remove_register_limits},
                                 {"slm_allocation_zero", remove_slm_allocation},
                                 {"slots_unlimited", remove_slots},
                                 {"dispatch_instantaneous", dispatch_at_once},
                                 {"launch_overheads_zero", remove_launch_overheads},
                                 {"no_dependencies", remove_dependencies},
                                 {"equal_work_groups", equalize_work_groups}});
  return changes;
}

}  // namespace

std::vector<Counterfactual> counterfactuals(const Scenario& scenario, const RunRecord& baseline) {
  const Baseline run(scenario, baseline);
  std::vector<Counterfactual> found;
  for (const CounterfactualChange& change : catalog(scenario)) {
    Scenario changed = scenario;
    if (auto subject = change.make(run, changed))
      found.push_back({change.what, std::move(changed), std::move(*subject)});
  }
  return found;
}

}  // namespace gdsim
