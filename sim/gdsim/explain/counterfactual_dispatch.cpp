#include <gdsim/analysis/notes/preemption_note.hpp>
#include <gdsim/device/clock_schedule.hpp>
#include <gdsim/explain/counterfactual_changes.hpp>
#include <gdsim/program/program_plan.hpp>

#include <fmt/format.h>

namespace gdsim {
namespace {

/// `2 us`: the duration on this device, under its first clock if it depends on the clock.
std::string length_words(const StepTime& time, const DeviceSpec& device) {
  const auto span = resolve(time, clock_of(device), Decimal::whole(1));
  const bool follows_clock = time.unit == StepTime::Unit::cycles && clock_may_change(device);
  return span ? to_text(*span) + (follows_clock ? " at first" : "") : "too long a time";
}

/// `2 us`, or `1 us and 1 us behind predecessors`: the costs of a launch.
std::string launch_cost_words(const DeviceSpec& device) {
  const LaunchCost cost = device.launch_cost.value_or(LaunchCost{});
  std::string text = length_words(cost.serial, device);
  if (!cost.overlapping.amount.is_zero())
    text += " and " + length_words(cost.overlapping, device) + " behind predecessors";
  return text;
}

/// `Dispatch: 2 ports for work-groups placed in part, 1 us per work-group, recovery 250 ns`
std::string dispatch_words(const Baseline& run) {
  const DispatchRules& rules = run.scenario().dispatch;
  std::string text;
  const auto list = [&](const std::string& part) { text += (text.empty() ? "Dispatch: " : ", ") + part; };
  const auto length = [&](const StepTime& time) { return length_words(time, run.scenario().device); };
  if (const auto ports = rules.ports)
    list(fmt::format("{} port{} for {}s placed in part", *ports, ports == 1U ? "" : "s", run.terms().work_group));
  const DispatchInterval interval = rules.interval.value_or(DispatchInterval{});
  if (!interval.per_work_group.amount.is_zero())
    list(length(interval.per_work_group) + " per " + run.terms().work_group);
  if (!interval.per_thread.amount.is_zero()) list(length(interval.per_thread) + " per " + run.terms().thread);
  if (rules.recovery && !rules.recovery->amount.is_zero()) list("recovery " + length(*rules.recovery));
  return text;
}

}  // namespace

/// Keeps the distribution of work-groups: placement, batches, and the cores of each dispatcher.
std::optional<ChangeWords> dispatch_at_once(const Baseline& run, Scenario& changed) {
  DispatchRules& rules = changed.dispatch;
  const bool takes_time =
      (rules.interval && !rules.interval->is_instant()) || (rules.recovery && !rules.recovery->amount.is_zero());
  if (!rules.ports && !takes_time) return std::nullopt;
  rules.ports.reset();
  if (rules.interval) rules.interval->per_work_group = rules.interval->per_thread = {};
  rules.recovery.reset();
  return dispatch_words(run);
}

std::optional<ChangeWords> remove_recovery(const Baseline& run, Scenario& changed) {
  const auto& recovery = run.scenario().dispatch.recovery;
  if (!recovery || recovery->amount.is_zero()) return std::nullopt;
  changed.dispatch.recovery.reset();
  return "Recovery: what a " + run.terms().work_group + " held can be taken again after " +
         length_words(*recovery, run.scenario().device);
}

std::optional<ChangeWords> remove_launch_overheads(const Baseline& run, Scenario& changed) {
  DeviceSpec& device = changed.device;
  Duration jit{};
  for (Kernel& kernel : changed.workload.kernels) {
    jit = jit + kernel.jit;
    kernel.jit = {};
  }
  const bool have_cost = jit.count > 0 || device.submission ||
                         device.submit_overhead.count + device.launch_latency.count + device.dependency_gap.count > 0 ||
                         (device.launch_cost && !device.launch_cost->is_zero());
  if (!have_cost) return std::nullopt;
  device.submit_overhead = device.launch_latency = device.dependency_gap = {};
  device.launch_cost.reset();
  device.submission.reset();
  const DeviceSpec& as_it_is = run.scenario().device;
  std::string words =
      fmt::format("Launch overheads: submission {}, latency {}, gap behind dependencies {}, launch cost {}",
                  to_text(as_it_is.submit_overhead), to_text(as_it_is.launch_latency), to_text(as_it_is.dependency_gap),
                  launch_cost_words(as_it_is));
  if (as_it_is.submission) words += fmt::format(", batches of {}", as_it_is.submission->batch);
  if (jit.count > 0) words += ", compiling kernels (`jit`) " + to_text(jit);
  return words;
}

std::optional<ChangeWords> switch_at_no_cost(const Baseline& run, Scenario& changed) {
  const std::string lost = lost_by_switches(run.record());
  if (lost.empty()) return std::nullopt;
  changed.dispatch.preemption->save = {};
  changed.dispatch.preemption->restore = {};
  return ChangeWords{"Preemption: " + lost, "where switches cost nothing"};
}

}  // namespace gdsim
