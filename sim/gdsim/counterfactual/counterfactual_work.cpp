#include <gdsim/counterfactual/counterfactual.hpp>
#include <gdsim/counterfactual/program_change.hpp>
#include <gdsim/device/clock_schedule.hpp>
#include <gdsim/fit/limits.hpp>
#include <gdsim/program/instruction_cycles.hpp>
#include <gdsim/program/work_amounts.hpp>
#include <gdsim/workload/launch_graph.hpp>
#include <gdsim/workload/launched_kernels.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

namespace gdsim {
namespace {

/// Describes the tail of the launch that lasted longest among those with a tail; nullopt if none has one.
std::optional<std::string> tail_words(const Baseline& run) {
  const Workload& workload = run.scenario().workload;
  std::optional<std::string> words;
  Duration max{-1};
  for (std::size_t i = 0; i < workload.launches.size(); ++i) {
    const LaunchRecord& life = run.record().launches[i];
    if (!workload.launches[i].is_kernel() || !life.first_dispatched || !life.ended) continue;
    const Kernel& kernel = workload.kernel_of(workload.launches[i]);
    const auto tail = tail_of(kernel, run.scenario().device);
    if (!tail || *life.ended - *life.first_dispatched <= max) continue;
    max = *life.ended - *life.first_dispatched;
    words = fmt::format("Tail: {} of {} {}s of {} {} left over for the last wave", tail->left_over, tail->work_groups,
                        run.terms().work_group, kernel.name, tail->left_over == 1 ? "is" : "are");
  }
  return words;
}

/// Returns the number of launches that wait for others, on the device or on the host.
std::uint64_t waiting_launches(const Workload& workload) {
  const LaunchGraph graph = make_launch_graph(workload);  // the order of hardware queues is no dependency
  std::uint64_t count = 0;
  for (std::size_t i = 0; i < workload.launches.size(); ++i)
    if (!graph.predecessors[i].empty() || !workload.launches[i].host_waits.empty()) ++count;
  return count;
}

/// Returns true if the kernel's work-groups differ in their factors or in their programs.
bool is_uneven(const Kernel& kernel) {
  const auto& factors = kernel.variation.factors;
  const auto is_another = [&](const WorkGroupFactor& factor) {
    return compare(factor.factor, factors.front().factor) != 0;
  };
  const bool some_have_none = factors.size() < kernel.range.group_count();
  return kernel.differs_by_group() || std::any_of(factors.begin(), factors.end(), is_another) ||
         (some_have_none && std::any_of(factors.begin(), factors.end(), [](const WorkGroupFactor& factor) {
            return compare(factor.factor, Decimal::whole(1)) != 0;
          }));
}

/// Returns the mean factor of the kernel's work-groups; 1 for those without one.
double mean_factor(const Kernel& kernel) {
  const auto groups = static_cast<double>(kernel.range.group_count());
  double sum = groups - static_cast<double>(kernel.variation.factors.size());
  for (const WorkGroupFactor& factor : kernel.variation.factors) sum += approximate(factor.factor);
  return sum / groups;
}

/// Makes every work-group do the average work.
void make_even(Kernel& kernel) {
  if (kernel.differs_by_group()) {
    kernel.program = mean_program(kernel);
    kernel.group_programs = {};
  }
  if (kernel.variation.factors.empty()) return;
  constexpr std::uint64_t million = 1'000'000;
  const double millionths = std::round(mean_factor(kernel) * static_cast<double>(million));
  scale(kernel.program, {static_cast<UInt128>(std::max(1.0, millionths)), million});
}

bool has_measured_durations(const Kernel& kernel) {
  const auto& factors = kernel.variation.factors;
  return std::any_of(factors.begin(), factors.end(), [](const WorkGroupFactor& own) { return own.duration; });
}

}  // namespace

std::optional<ChangeWords> spread_tails(const Baseline& run, Scenario& changed) {
  bool is_changed = false;
  const DeviceSpec device = seen_until(changed.device, run.record().end);
  for (Kernel& kernel : changed.workload.kernels)
    if (const auto tail = tail_of(kernel, device))
      if (auto shorter = without_tail(kernel, *tail, device)) {
        kernel = std::move(*shorter);
        is_changed = true;
      }
  if (!is_changed) return std::nullopt;
  const std::optional<std::string> words = tail_words(run);
  if (!words) return std::nullopt;
  return ChangeWords{*words, "with the work of the last wave spread over the others"};
}

std::optional<ChangeWords> remove_dependencies(const Baseline& run, Scenario& changed) {
  const Workload& workload = run.scenario().workload;
  const std::uint64_t waiting = waiting_launches(workload);
  if (waiting == 0) return std::nullopt;
  for (Launch& launch : changed.workload.launches) {
    launch.after.clear();
    launch.after_triggers.clear();
    launch.host_waits.clear();
    launch.reads.clear();
    launch.writes.clear();
  }
  for (Queue& queue : changed.workload.queues) {
    queue.order = QueueOrder::out_of_order;
    queue.waits_for_triggers = false;
  }
  return ChangeWords{fmt::format("Dependencies: {} of {} launches wait{} for other launches", waiting,
                                 workload.launches.size(), waiting == 1 ? "s" : ""),
                     "without dependencies"};
}

std::optional<ChangeWords> remove_start_times(const Baseline&, Scenario& changed) {
  std::uint64_t held = 0;
  for (Launch& launch : changed.workload.launches) {
    held += launch.at > SimTime{} ? 1 : 0;
    launch.at = {};
  }
  if (held == 0) return std::nullopt;
  return ChangeWords{fmt::format("Start times: the host holds {} of {} launches back until their `at:`", held,
                                 changed.workload.launches.size()),
                     "without start times"};
}

std::optional<ChangeWords> equalize_work_groups(const Baseline& run, Scenario& changed) {
  bool is_changed = false;
  for (Kernel& kernel : changed.workload.kernels) {
    // Measured durations replace the program's own, which may be arbitrary.
    if (has_measured_durations(kernel)) continue;
    const Variation& variation = kernel.variation;
    const bool is_written = is_uneven(kernel);
    // A draw for a launch as a whole makes no work-group longer than another.
    const auto of_launch =
        variation.draw && variation.draw->per == DrawPer::launch ? variation.draw : std::optional<Draw>();
    const bool is_declared = is_written || variation.first_wave || (variation.draw && !of_launch);
    is_changed |= is_declared || (draw_in_force(kernel) && !of_launch);
    if (is_written) make_even(kernel);
    const auto equal_factors = is_written ? std::vector<WorkGroupFactor>() : kernel.variation.factors;
    kernel.variation = {};
    kernel.variation.factors = equal_factors;
    kernel.variation.draw = of_launch;
    // In lock step, work-groups that share a resource would take longer for another reason. So only the declared draw
    // is removed, and the default draw replaces it.
    kernel.variation.is_lock_step = !is_declared && !of_launch;
  }
  if (!is_changed) return std::nullopt;
  const std::string groups = run.terms().work_group + "s";
  return ChangeWords{"Uneven " + groups + ": their durations vary", "with equal " + groups + " and the same total work",
                     "On hardware the loss may be smaller: only simulated " + groups +
                         " request the same resource at exactly the same time."};
}

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
  const Ratio waiting = run.share(Activity::barrier);
  const auto launched = launched_kernels(run.scenario().workload);
  const bool is_little =
      waiting.numerator * 100 < waiting.denominator &&
      std::any_of(launched.begin(), launched.end(), [](const Kernel* kernel) { return kernel->shares_resources(); });
  return ChangeWords{run.wait_words("Barriers", Activity::barrier,
                                    is_little ? "at barriers and request the same resource together after each barrier"
                                              : "at barriers"),
                     "without barriers", port_artefact(run.scenario(), changed)};
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
        step = Compute{issue->by_kind.empty() ? issue->slots : longest_work_of(issue->by_kind, changed.device, kernel)};
      return StepChange::changed;
    });
  if (!is_changed) return std::nullopt;
  return ChangeWords{run.wait_words("Issue slots", Activity::issue, "for an issue slot"), "without this wait"};
}

std::optional<ChangeWords> remove_slm_conflicts(const Baseline& run, Scenario& changed) {
  const bool is_changed = change_slm_accesses(changed, [&](Step& step, const Kernel& kernel) {
    return without_slm_conflicts(step, changed.device, kernel.sub_group);
  });
  if (!is_changed) return std::nullopt;
  return ChangeWords{"Bank conflicts in " + run.terms().slm + ": " + worst_slm_conflict(run.scenario()),
                     "without bank conflicts"};
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
    return ChangeWords{run.wait_words("Accesses to L1 and " + run.terms().slm, Activity::slm, "for the L1 pipe"),
                       "without this wait"};
  return ChangeWords{
      run.wait_words("Accesses to " + run.terms().slm, Activity::slm, "for the banks of " + run.terms().slm),
      "without this wait"};
}

}  // namespace gdsim
