#include <gdsim/explain/counterfactual_changes.hpp>
#include <gdsim/explain/l1_accesses.hpp>
#include <gdsim/explain/program_change.hpp>
#include <gdsim/explain/slm_conflicts.hpp>
#include <gdsim/program/instruction_cycles.hpp>
#include <gdsim/workload/launched_kernels.hpp>

#include <algorithm>

namespace gdsim {
namespace {

/// Calls `change(step, kernel)` for every access to SLM, on a device whose SLM has banks. Returns true if anything
/// changed.
template <class Change>
bool change_slm_accesses(Scenario& changed, Change change) {
  if (!changed.device.slm_access) return false;
  bool is_changed = false;
  for (Kernel& kernel : changed.workload.kernels)
    is_changed |= change_programs(
        kernel, [&](Step& step) { return is_slm_access(step) ? change(step, kernel) : StepChange::none; });
  return is_changed;
}

}  // namespace

std::optional<ChangeWords> remove_barriers(const Baseline& run, Scenario& changed) {
  const bool is_changed = change_programs(changed, [](Step& step) {
    const bool is_met = std::holds_alternative<Barrier>(step) || std::holds_alternative<Signal>(step) ||
                        std::holds_alternative<Wait>(step) || std::holds_alternative<GridBarrier>(step);
    return is_met ? StepChange::removed : StepChange::none;
  });
  if (!is_changed) return std::nullopt;
  const Ratio waiting = run.share(TimeKind::barrier);
  const auto launched = launched_kernels(run.scenario().workload);
  const bool is_little =
      waiting.numerator * 100 < waiting.denominator &&
      std::any_of(launched.begin(), launched.end(), [](const Kernel* kernel) { return kernel->shares_resources(); });
  return ChangeWords{
      run.wait_words("Barriers", TimeKind::barrier,
                     is_little ? "at them, and ask for the same resource together after each" : "at them"),
      "without that", port_artefact(run.scenario(), changed)};
}

std::optional<ChangeWords> give_own_issue_slots(const Baseline& run, Scenario& changed) {
  bool is_changed = false;
  for (Kernel& kernel : changed.workload.kernels)
    is_changed |= change_programs(kernel, [&](Step& step) {
      const auto* issue = std::get_if<IssueSlots>(&step);
      if (issue == nullptr) return StepChange::none;
      if (!issue->l1.empty())
        step = with_own_issue_slots(*issue, kernel, changed.device);
      else
        step = Compute{issue->by_kind.empty() ? issue->slots
                                              : cycles_of(issue->by_kind, changed.device, kernel.sub_group)};
      return StepChange::changed;
    });
  if (!is_changed) return std::nullopt;
  return run.wait_words("Issue slots", TimeKind::issue, "for them");
}

std::optional<ChangeWords> remove_slm_conflicts(const Baseline& run, Scenario& changed) {
  const bool is_changed = change_slm_accesses(changed, [&](Step& step, const Kernel& kernel) {
    return without_slm_conflicts(step, changed.device, kernel.sub_group);
  });
  if (!is_changed) return std::nullopt;
  return "Bank conflicts of " + run.terms().slm + ": " + worst_slm_conflict(run.scenario());
}

std::optional<ChangeWords> give_own_slm_banks(const Baseline& run, Scenario& changed) {
  bool is_changed = give_own_pipes(changed);
  is_changed |= change_slm_accesses(changed, [&](Step& step, const Kernel&) {
    const StepTime latency = changed.device.slm_access->latency;
    if (latency.amount.is_zero()) return StepChange::removed;
    step = Compute{latency};
    return StepChange::changed;
  });
  if (!is_changed) return std::nullopt;
  if (has_l1_accesses(run.scenario()))
    return run.wait_words("Accesses to L1 and " + run.terms().slm, TimeKind::slm, "for its pipe");
  return run.wait_words("Accesses to " + run.terms().slm, TimeKind::slm, "for its banks");
}

}  // namespace gdsim
