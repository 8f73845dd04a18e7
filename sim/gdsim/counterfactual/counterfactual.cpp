#include <gdsim/counterfactual/counterfactual.hpp>

#include <gdsim/analysis/collective_kernels.hpp>
#include <gdsim/analysis/findings/findings.hpp>
#include <gdsim/analysis/selected_launches.hpp>
#include <gdsim/base/diagnostic.hpp>
#include <gdsim/dispatch/placement/placements.hpp>
#include <gdsim/points/run_point.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace gdsim {
namespace {

void add_placements(const Scenario& scenario, std::vector<CounterfactualChange>& changes) {
  if (scenario.device.cores < 2) return;
  for (const std::string_view name : built_in_placements().placement_names())
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
  std::optional<Scenario> combined;
  for (const CounterfactualChange& change : catalog(scenario, baseline)) {
    if (std::find(names.begin(), names.end(), change.what) == names.end()) continue;
    Scenario changed = combined ? *combined : scenario;
    if (change.make(run, changed)) combined = std::move(changed);
  }
  return combined;
}

namespace {

constexpr std::uint64_t kMaxWorkGroupsOfAnswer = 200'000;
constexpr std::uint64_t kMaxWorkGroupsOfAlternatives = 50'000;
/// The minimum part of the duration that is more than chance: a fiftieth.
constexpr std::int64_t kPartsOfChance = 50;
/// The part of the duration from which an assumption is the finding: a fifth.
constexpr std::int64_t kPartsOfAssumption = 5;

bool is_part(Duration difference, Duration whole, std::int64_t parts) {
  const Int128 count = difference.count < 0 ? -Int128{difference.count} : Int128{difference.count};
  return count * parts >= whole.count && count > 0;
}

/// Returns the duration of a changed scenario, or nullopt if it cannot run to its end.
std::optional<Duration> duration_of(const Scenario& scenario, const RunOptions& options) {
  RunOptions again;
  again.stop = options.stop;
  again.seed_offset = options.seed_offset;
  try {
    const RunRecord record = run_for_study(scenario, again, KeepAccounts::no).record;
    if (record.outcome == Outcome::completed) return record.duration();
  } catch (const InputError&) {  // the device refuses it
  }
  return std::nullopt;
}

bool is_confirmed(const Finding& finding, const Scenario& scenario, const RunRecord& record,
                  const RunOptions& options) {
  if (finding.lifted_by.empty()) return true;
  if (record.work_groups_total > kMaxWorkGroupsOfAnswer) return finding.kind != FindingKind::limiter;
  const auto changed = changed_scenario(scenario, record, finding.lifted_by);
  const auto duration = changed ? duration_of(*changed, options) : std::nullopt;
  return duration && *duration < record.duration() &&
         is_part(record.duration() - *duration, record.duration(), kPartsOfChance);
}

/// Returns false if the kernels do not use what the alternative changes.
bool may_matter(const DeviceAlternative& alternative, const Workload& workload) {
  const auto any = [&](auto&& holds) { return std::any_of(workload.kernels.begin(), workload.kernels.end(), holds); };
  if (alternative.key.starts_with("memory."))
    return any([](const Kernel& kernel) { return uses_memory(kernel.program); });
  if (alternative.key.starts_with("slm."))
    return any([](const Kernel& kernel) { return kernel.needs.slm.total.count > 0; });
  if (alternative.key == "barriers_per_core")
    return any([](const Kernel& kernel) { return has_barrier(kernel.program); });
  if (alternative.key.starts_with("hardware_queues")) return workload.launches.size() > 1;
  return true;
}

/// Adds an alternative to the entry of its key, which is made if there is none.
void add_alternative(const DeviceAlternative& alternative, Duration duration, std::vector<RestsOn>& all) {
  const auto same = [&](const RestsOn& known) { return known.key == alternative.key; };
  auto entry = std::find_if(all.begin(), all.end(), same);
  if (entry == all.end()) entry = all.insert(all.end(), {alternative.key, alternative.value, {}});
  entry->alternatives.push_back({alternative.other, duration});
}

std::vector<RestsOn> rests_on(const Scenario& scenario, const RunRecord& record, const RunOptions& options) {
  std::vector<RestsOn> all;
  if (record.work_groups_total > kMaxWorkGroupsOfAlternatives) return all;
  for (const DeviceAlternative& alternative : scenario.device.alternatives) {
    if (!may_matter(alternative, scenario.workload)) continue;
    Scenario changed = scenario;
    changed.device = *alternative.device;
    changed.dispatch = alternative.device->dispatch;
    const auto duration = duration_of(changed, options);
    if (duration && is_part(*duration - record.duration(), record.duration(), kPartsOfChance))
      add_alternative(alternative, *duration, all);
  }
  return all;
}

/// Returns the finding that an assumption decides, if one does.
std::optional<Finding> assumption_finding(const std::vector<RestsOn>& all, Duration duration) {
  for (const RestsOn& assumption : all)
    for (const RestsOn::Alternative& alternative : assumption.alternatives) {
      if (!is_part(alternative.duration - duration, duration, kPartsOfAssumption)) continue;
      const Int128 difference = Int128{alternative.duration.count} - duration.count;
      const Ratio percent = percent_share(difference < 0 ? -difference : difference, duration.count);
      return Finding{FindingKind::assumption,
                     fmt::format("the result depends on {}. The model's value, {}, is not certain: with {} the run "
                                 "takes {} {} time. Check this value before you act on the result.",
                                 assumption.key, assumption.value, alternative.value, share_words(percent),
                                 difference < 0 ? "less" : "more"),
                     percent};
    }
  return std::nullopt;
}

/// Returns true if nothing that is assumed of the rest of the device matters more.
bool is_at_peak(const Finding& finding) {
  return finding.kind == FindingKind::roofline || finding.kind == FindingKind::links ||
         finding.kind == FindingKind::copies;
}

}  // namespace

Answer answer_of(const Scenario& scenario, const RunReport& report, const RunOptions& options,
                 Alternatives alternatives) {
  Answer answer;
  const RunRecord& record = report.record;
  const std::vector<Finding> findings = findings_of(report, speed_of_light(report));
  if (findings.empty()) return answer;
  if (alternatives == Alternatives::tried) answer.rests_on = rests_on(scenario, record, options);
  const auto assumed = answer.rests_on ? assumption_finding(*answer.rests_on, record.duration()) : std::nullopt;
  for (const Finding& finding : findings) {
    if (assumed && !is_at_peak(finding)) {
      answer.finding = *assumed;
      break;
    }
    if (!is_confirmed(finding, scenario, record, options)) continue;
    answer.finding = finding;
    break;
  }
  return answer;
}

Baseline::Baseline(const Scenario& scenario, const RunRecord& record) : scenario_(scenario), record_(record) {
  for (const CoreTimeUse& core_use : record.time_use) use_ += core_use.use;
  all_ = use_.sum();
  use_.add(Activity::barrier, -exchange_time(scenario.workload, record.time_use));
}

Ratio Baseline::share(Activity kind) const {
  return {static_cast<UInt128>(use_.spent_on(kind)), static_cast<UInt128>(std::max<Int128>(all_, 1))};
}

std::string Baseline::wait_words(const std::string& name, Activity kind, const std::string& where) const {
  const Ratio part = share(kind);
  return fmt::format("{}: {}s wait {} % of their time {}", name, terms().thread,
                     to_fixed({part.numerator * 100, part.denominator}, 1), where);
}

ChangeList list_of(std::string_view what) {
  constexpr std::array<std::string_view, 17> bounds{
      "memory_unlimited", "level_unlimited", "atomics_unlimited", "issue_unlimited",        "slm_unlimited",
      "slots_unlimited",  "no_recovery",     "free_preemption",   "dispatch_instantaneous", "initial_clock",
      "ports_unlimited",  "placement",       "whole_work_groups", "launch_overheads_zero",  "links_unlimited",
      "collectives_free", "any_start_order"};
  const std::string_view family = what.substr(0, what.find(':'));
  return std::find(bounds.begin(), bounds.end(), family) != bounds.end() ? ChangeList::bound : ChangeList::change;
}

}  // namespace gdsim
