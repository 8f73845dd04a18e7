#include <gdsim/analysis/longest_kernel.hpp>
#include <gdsim/device/device_limits.hpp>
#include <gdsim/explain/counterfactual_changes.hpp>
#include <gdsim/workload/launched_kernels.hpp>

#include <fmt/format.h>

namespace gdsim {
namespace {

constexpr std::int64_t kUnlimitedTimes = 100'000;
/// Accesses of one address per cycle: no device may have more.
constexpr Decimal kMaxAtomicRate = Decimal::whole(1'000);

/// Raises what there is a limit of to 100,000 times as much, or to the most that any device may have (`max`).
template <class Amount>
void raise_to_unlimited(std::optional<Amount>& amount, Amount max) {
  if (amount) amount->count = amount->count > max.count / kUnlimitedTimes ? max.count : amount->count * kUnlimitedTimes;
}

bool is_global_atomic(const Step& step) {
  const auto* atomic = std::get_if<Atomic>(&step);
  return atomic != nullptr && atomic->space == AtomicSpace::global;
}

bool is_memory_access(const Step& step) { return std::holds_alternative<Memory>(step) || is_global_atomic(step); }

/// A launched kernel has such a step.
bool has_step_that(const Scenario& scenario, bool (*holds)(const Step&)) {
  bool found = false;
  for (const Kernel* kernel : launched_kernels(scenario.workload))
    for_each_step(kernel->program, [&](const Step& step) { found = found || holds(step); });
  return found;
}

bool uses_memory(const Scenario& scenario) {
  return scenario.device.memory && has_step_that(scenario, is_memory_access);
}

void raise_in_flight(Scenario& changed) {
  MemoryRule& memory = *changed.device.memory;
  raise_to_unlimited(memory.in_flight, device_limits::kMemory);
  for (Kernel& kernel : changed.workload.kernels) raise_to_unlimited(kernel.in_flight, device_limits::kMemory);
  raise_to_unlimited(memory.core_in_flight, device_limits::kMemory);
}

void raise_atomics(AtomicRule& atomics) {
  if (atomics.global) atomics.global = kMaxAtomicRate;
  atomics.global_total.reset();
}

}  // namespace

std::optional<ChangeWords> raise_memory_limits(const Baseline& run, Scenario& changed) {
  if (!uses_memory(run.scenario())) return std::nullopt;
  MemoryRule& memory = *changed.device.memory;
  for (MemoryLevel& level : memory.levels) raise_to_unlimited(level.bandwidth, device_limits::kBandwidth);
  raise_to_unlimited(memory.core_bandwidth, device_limits::kBandwidth);
  raise_in_flight(changed);
  raise_atomics(changed.device.atomics);
  const bool has_atomics = has_step_that(run.scenario(), is_global_atomic);
  return run.wait_words(has_atomics ? "Memory and atomics" : "Memory", TimeKind::memory,
                        "behind others, and for one round trip after the other besides");
}

std::optional<ChangeWords> raise_bytes_in_flight(const Baseline& run, Scenario& changed) {
  if (!uses_memory(run.scenario())) return std::nullopt;
  const auto own = [&](const Kernel* kernel) {
    return kernel != nullptr && kernel->in_flight ? kernel->in_flight : run.scenario().device.memory->in_flight;
  };
  const Kernel* longest = longest_kernel(run.scenario().workload, run.record());
  const auto in_flight = own(longest);
  if (!in_flight) return std::nullopt;
  raise_in_flight(changed);
  const Terms& terms = run.terms();
  return ChangeWords{fmt::format("Bytes in flight: a {} of {} has {} of its loads under way at once, and waits a round "
                                 "trip for them (`in_flight`)",
                                 terms.thread, longest->name, to_text(*in_flight)),
                     "with all under way at once"};
}

std::optional<ChangeWords> raise_atomic_rates(const Baseline& run, Scenario& changed) {
  const AtomicRule& atomics = run.scenario().device.atomics;
  if (!atomics.global || !uses_memory(run.scenario()) || !has_step_that(run.scenario(), is_global_atomic))
    return std::nullopt;
  raise_atomics(changed.device.atomics);
  return fmt::format("Atomics: {} of one address {} served per cycle", to_text(*atomics.global),
                     compare(*atomics.global, Decimal::whole(1)) == 0 ? "is" : "are");
}

std::optional<ChangeWords> raise_level_bandwidth(const Baseline& run, Scenario& changed, std::size_t level) {
  if (!uses_memory(run.scenario())) return std::nullopt;
  const MemoryLevel& as_it_is = run.scenario().device.memory->levels[level];
  if (!as_it_is.bandwidth) return std::nullopt;
  raise_to_unlimited(changed.device.memory->levels[level].bandwidth, device_limits::kBandwidth);
  return "Memory level " + as_it_is.name + ": its bandwidth is " + to_text(*as_it_is.bandwidth);
}

}  // namespace gdsim
