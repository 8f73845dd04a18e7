#include <gdsim/analysis/longest_kernel.hpp>
#include <gdsim/device/device_limits.hpp>
#include <gdsim/explain/counterfactual_changes.hpp>
#include <gdsim/workload/launched_kernels.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace gdsim {
namespace {

constexpr std::int64_t kUnlimitedTimes = 100'000;
/// The maximum number of accesses of one address per cycle on any device.
constexpr Decimal kMaxAtomicRate = Decimal::whole(1'000);

/// Raises a limit, if there is one, 100,000 times, but at most to `max`, the maximum of any device.
template <class Amount>
void raise_to_unlimited(std::optional<Amount>& amount, Amount max) {
  if (amount) amount->count = amount->count > max.count / kUnlimitedTimes ? max.count : amount->count * kUnlimitedTimes;
}

/// Returns the launched kernels for whose programs `holds` is true.
std::vector<const Kernel*> launched_that(const Scenario& scenario, bool (*holds)(const Program&)) {
  std::vector<const Kernel*> kernels = launched_kernels(scenario.workload);
  std::erase_if(kernels, [&](const Kernel* kernel) { return !holds(kernel->program); });
  return kernels;
}

bool uses_memory(const Scenario& scenario) {
  return scenario.device.memory && !launched_that(scenario, gdsim::uses_memory).empty();
}

bool has_global_atomics(const Scenario& scenario) {
  return !launched_that(scenario, gdsim::has_global_atomics).empty();
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
  const bool has_atomics = has_global_atomics(run.scenario());
  const Ratio accessing = run.share(TimeKind::access);
  return ChangeWords{
      run.wait_words(has_atomics ? "Memory and atomics" : "Memory", TimeKind::memory,
                     fmt::format("for the accesses of others, and spend {} % in their own, latency included",
                                 to_fixed({accessing.numerator * 100, accessing.denominator}, 1))),
      std::string("with unlimited bandwidth and bytes in flight") + (has_atomics ? ", and atomics at any rate," : "")};
}

std::optional<ChangeWords> raise_bytes_in_flight(const Baseline& run, Scenario& changed) {
  if (!uses_memory(run.scenario())) return std::nullopt;
  // The kernel that lasted longest, if it uses memory.
  const std::vector<const Kernel*> users = launched_that(run.scenario(), gdsim::uses_memory);
  const auto longest = std::find(users.begin(), users.end(), longest_kernel(run.scenario().workload, run.record()));
  const Kernel& kernel = longest == users.end() ? *users.front() : **longest;
  const auto in_flight = kernel.in_flight ? kernel.in_flight : run.scenario().device.memory->in_flight;
  if (!in_flight) return std::nullopt;
  raise_in_flight(changed);
  const Terms& terms = run.terms();
  return ChangeWords{fmt::format("Bytes in flight: a {} of {} has {} of its loads under way at once, and waits a round "
                                 "trip for them (`in_flight`)",
                                 terms.thread, kernel.name, to_text(*in_flight)),
                     "with all under way at once"};
}

std::optional<ChangeWords> raise_atomic_rates(const Baseline& run, Scenario& changed) {
  const AtomicRule& atomics = run.scenario().device.atomics;
  if (!atomics.global || !uses_memory(run.scenario()) || !has_global_atomics(run.scenario())) return std::nullopt;
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
