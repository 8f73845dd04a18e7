#include <gdsim/counterfactual/counterfactual.hpp>

#include <gdsim/analysis/selected_launches.hpp>
#include <gdsim/dispatch/policy_catalog.hpp>
#include <gdsim/counterfactual/counterfactual_changes.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

namespace gdsim {
namespace {

void add_placements(const Scenario& scenario, std::vector<CounterfactualChange>& changes) {
  if (scenario.device.cores < 2) return;
  for (const std::string_view name : built_in_policies().placement_names())
    changes.push_back(
        {"placement:" + std::string(name), [placement = std::string(name)](const Baseline& run, Scenario& changed) {
           return change_placement(run, changed, placement);
         }});
}

void add_sizes(const Scenario& scenario, const RunRecord& baseline, std::vector<CounterfactualChange>& changes) {
  const auto longest = longest_kernel_id(scenario.workload, baseline);
  if (!longest) return;
  const Kernel& kernel = scenario.workload.kernels[index_of(*longest)];
  for (const std::uint64_t size : other_work_group_sizes(kernel, scenario.device))
    changes.push_back({fmt::format("local:{}", size), [=](const Baseline& run, Scenario& changed) {
                         return change_work_group_size(run, changed, *longest, size);
                       }});
  for (const std::uint32_t size : scenario.device.sub_group_sizes)
    changes.push_back({fmt::format("sub_group:{}", size), [=](const Baseline& run, Scenario& changed) {
                         return change_sub_group_size(run, changed, *longest, size);
                       }});
  changes.push_back({kernel.needs.grf == GrfMode::large ? "normal_grf" : "large_grf",
                     [=](const Baseline& run, Scenario& changed) { return change_grf_mode(run, changed, *longest); }});
}

/// The maximum number of accesses that are tried: each costs a run.
constexpr std::size_t kMaxAccesses = 12;

void add_accesses(const Scenario& scenario, std::vector<CounterfactualChange>& changes) {
  const auto& kernels = scenario.workload.kernels;
  changes.push_back({"coalesced", coalesce_all_accesses});
  for (const ScatteredAccess& access : scattered_accesses(scenario, kMaxAccesses)) {
    const std::string kernel = kernels.size() > 1 ? kernels[index_of(access.kernel)].name + ":" : std::string();
    changes.push_back(
        {fmt::format("coalesced:{}{}", kernel, access.source_line),
         [access](const Baseline& run, Scenario& changed) { return coalesce_accesses(run, changed, access); }});
  }
}

/// Returns the catalog of changes, in the order in which equal savings are listed.
std::vector<CounterfactualChange> catalog(const Scenario& scenario, const RunRecord& baseline) {
  std::vector<CounterfactualChange> changes{
      {"no_tail", spread_tails}, {"barriers_free", remove_barriers}, {"memory_unlimited", raise_memory_limits}};
  const auto& memory = scenario.device.memory;
  for (std::size_t i = 0; memory && i < memory->levels.size(); ++i)
    changes.push_back({"level_unlimited:" + memory->levels[i].name,
                       [i](const Baseline& run, Scenario& changed) { return raise_level_bandwidth(run, changed, i); }});
  changes.insert(changes.end(), {{"in_flight_unlimited", raise_bytes_in_flight},
                                 {"atomics_unlimited", raise_atomic_rates},
                                 {"issue_unlimited", give_own_issue_slots},
                                 {"slm_conflict_free", remove_slm_conflicts},
                                 {"slm_unlimited", give_own_slm_banks},
                                 {"registers_unlimited", remove_register_limits},
                                 {"slm_allocation_zero", remove_slm_allocation},
                                 {"slots_unlimited", remove_slots},
                                 {"dispatch_instantaneous", dispatch_at_once},
                                 {"no_recovery", remove_recovery},
                                 {"free_preemption", switch_at_no_cost},
                                 {"initial_clock", keep_first_clock},
                                 {"whole_work_groups", place_whole_work_groups},
                                 {"ports_unlimited", remove_ports},
                                 {"launch_overheads_zero", remove_launch_overheads},
                                 {"as_graphs", submit_as_graphs},
                                 {"any_start_order", start_in_any_order},
                                 {"no_dependencies", remove_dependencies},
                                 {"no_start_times", remove_start_times},
                                 {"equal_work_groups", equalize_work_groups},
                                 {"tiles_on_demand", take_tiles_on_demand},
                                 {"longest_first", dispatch_longest_first}});
  add_accesses(scenario, changes);
  add_placements(scenario, changes);
  add_sizes(scenario, baseline, changes);
  return changes;
}

}  // namespace

std::vector<Counterfactual> counterfactuals(const Scenario& scenario, const RunRecord& baseline) {
  const Baseline run(scenario, baseline);
  std::vector<Counterfactual> found;
  for (const CounterfactualChange& change : catalog(scenario, baseline)) {
    Scenario changed = scenario;
    if (auto words = change.make(run, changed))
      found.push_back({change.what, std::move(changed), std::move(words->subject), std::move(words->how),
                       std::move(words->artefact)});
  }
  return found;
}

std::optional<Scenario> changed_scenario(const Scenario& scenario, const RunRecord& baseline,
                                         const std::vector<std::string>& names) {
  const Baseline run(scenario, baseline);
  std::optional<Scenario> all;
  for (const CounterfactualChange& change : catalog(scenario, baseline)) {
    if (std::find(names.begin(), names.end(), change.what) == names.end()) continue;
    Scenario changed = all ? *all : scenario;
    if (change.make(run, changed)) all = std::move(changed);
  }
  return all;
}

}  // namespace gdsim
