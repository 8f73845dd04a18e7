#include <gdsim/study/counterfactual_changes.hpp>

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

}  // namespace

std::string port_artefact(const Scenario& scenario) {
  const DispatchRules& rules = scenario.dispatch;
  if (rules.admission != Admission::partial || !rules.ports.count || rules.handover == Handover::always) return {};
  const auto& kernels = scenario.workload.kernels;
  const bool hand_over_all =
      rules.handover == Handover::barrier_or_slm && std::all_of(kernels.begin(), kernels.end(), [](const Kernel& kernel) {
        return has_barrier(kernel.program) || kernel.needs.slm.total.count > 0;
      });
  if (hand_over_all) return {};
  return fmt::format(
      "That is an artefact of the rule of ports, not of the change: a {} that is placed in part keeps one of {} ports "
      "{}.",
      scenario.device.terms.work_group, *rules.ports.count,
      rules.handover == Handover::never ? "until it is whole" : "unless it has a barrier or " + scenario.device.terms.slm);
}

std::optional<ChangeWords> place_whole_work_groups(const Baseline& run, Scenario& changed) {
  DispatchRules& rules = changed.dispatch;
  if (rules.admission == Admission::whole) return std::nullopt;
  const std::string group = run.terms().work_group;
  const std::string how = rules.admission == Admission::partial
                              ? "as many threads of a " + group + " as a " + run.terms().core + " has contexts for"
                              : "threads of a " + group + " on several " + run.terms().core + "s";
  rules.admission = Admission::whole;
  rules.ports.count.reset();
  return ChangeWords{"Placement in part: the dispatcher places " + how, "with whole " + group + "s"};
}

std::optional<ChangeWords> remove_ports(const Baseline& run, Scenario& changed) {
  DispatchRules& rules = changed.dispatch;
  if (rules.admission != Admission::partial || !rules.ports.count) return std::nullopt;
  const std::uint64_t ports = *rules.ports.count;
  rules.ports.count.reset();
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
