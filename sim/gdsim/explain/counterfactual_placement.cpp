#include <gdsim/base/text.hpp>
#include <gdsim/explain/counterfactual_changes.hpp>
#include <gdsim/points/placement_note.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace gdsim {
namespace {

std::uint64_t group_count(const Workload& workload) {
  std::uint64_t count = 0;
  for (const Launch& launch : workload.launches) {
    const std::uint64_t more = workload.kernel_of(launch).range.group_count();
    count = std::min<std::uint64_t>(count + std::min<std::uint64_t>(more, 2), 2);
  }
  return count;
}

/// Returns true if the kernel's work-groups are handed over under Handover::barrier_or_slm.
bool hands_over(const Kernel& kernel) { return has_barrier(kernel.program) || kernel.needs.slm.total.count > 0; }

}  // namespace

std::string port_artefact(const Scenario& scenario, const Scenario& changed) {
  const DispatchRules& rules = changed.dispatch;
  if (rules.admission != Admission::partial || !rules.ports || rules.handover != Handover::barrier_or_slm) return {};
  const auto& before = scenario.workload.kernels;
  const auto& after = changed.workload.kernels;
  bool is_lost = false;
  for (std::size_t i = 0; i < before.size(); ++i) is_lost |= hands_over(before[i]) && !hands_over(after[i]);
  if (!is_lost) return {};
  return fmt::format(
      "That is an artefact of the rule of ports: a {} that is placed in part keeps one of {} unless it has a barrier "
      "or {}.",
      scenario.device.terms.work_group, counted(*rules.ports, "port"), scenario.device.terms.slm);
}

std::optional<ChangeWords> place_whole_work_groups(const Baseline& run, Scenario& changed) {
  DispatchRules& rules = changed.dispatch;
  if (!may_place_in_part(run.scenario())) return std::nullopt;
  const std::string group = run.terms().work_group;
  const std::string how = rules.admission == Admission::partial
                              ? "as many threads of a " + group + " as one " + run.terms().core + " has contexts for"
                              : "threads of a " + group + " on several " + run.terms().core + "s";
  rules.admission = Admission::whole;
  rules.ports.reset();
  return ChangeWords{"Placement in part: the dispatcher places " + how, "with whole " + group + "s"};
}

std::optional<ChangeWords> remove_ports(const Baseline& run, Scenario& changed) {
  DispatchRules& rules = changed.dispatch;
  if (!may_place_in_part(run.scenario()) || rules.admission != Admission::partial || !rules.ports) return std::nullopt;
  const std::uint64_t ports = *rules.ports;
  rules.ports.reset();
  return ChangeWords{fmt::format("Ports: {} {}{} placed in part stop{} the dispatcher", ports, run.terms().work_group,
                                 ports == 1 ? "" : "s", ports == 1 ? "s" : ""),
                     "with as many ports as are wanted"};
}

std::optional<ChangeWords> change_placement(const Baseline& run, Scenario& changed, const std::string& placement) {
  const DispatchRules& rules = run.scenario().dispatch;
  if (placement == rules.placement || group_count(run.scenario().workload) < 2) return std::nullopt;
  if (placement == "group_round_robin" && run.scenario().device.core_groups.empty()) return std::nullopt;
  changed.dispatch.placement = placement;
  return ChangeWords{fmt::format("Placement: {} chooses the {}s", rules.placement, run.terms().core),
                     "with " + placement};
}

}  // namespace gdsim
