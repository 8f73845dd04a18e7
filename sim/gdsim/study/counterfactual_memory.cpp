#include <gdsim/device/device_limits.hpp>
#include <gdsim/study/counterfactual_changes.hpp>

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

bool is_memory_access(const Step& step) {
  const auto* atomic = std::get_if<Atomic>(&step);
  return std::holds_alternative<Memory>(step) || (atomic != nullptr && atomic->space == AtomicSpace::global);
}

bool uses_memory(const Scenario& scenario) {
  bool found = false;
  if (scenario.device.memory)
    for (const Kernel& kernel : scenario.workload.kernels)
      for_each_step(kernel.program, [&](const Step& step) { found = found || is_memory_access(step); });
  return found;
}

}  // namespace

std::optional<ChangeWords> raise_memory_limits(const Baseline& run, Scenario& changed) {
  if (!uses_memory(run.scenario())) return std::nullopt;
  MemoryRule& memory = *changed.device.memory;
  for (MemoryLevel& level : memory.levels) raise_to_unlimited(level.bandwidth, device_limits::kBandwidth);
  raise_to_unlimited(memory.core_bandwidth, device_limits::kBandwidth);
  raise_to_unlimited(memory.in_flight, device_limits::kMemory);
  for (Kernel& kernel : changed.workload.kernels) raise_to_unlimited(kernel.in_flight, device_limits::kMemory);
  raise_to_unlimited(memory.core_in_flight, device_limits::kMemory);
  if (changed.device.atomics.global) changed.device.atomics.global = kMaxAtomicRate;
  changed.device.atomics.global_total.reset();
  return run.wait_words("Memory", TimeKind::memory, "behind others, and for its latency besides");
}

std::optional<ChangeWords> raise_level_bandwidth(const Baseline& run, Scenario& changed, std::size_t level) {
  if (!uses_memory(run.scenario())) return std::nullopt;
  const MemoryLevel& as_it_is = run.scenario().device.memory->levels[level];
  if (!as_it_is.bandwidth) return std::nullopt;
  raise_to_unlimited(changed.device.memory->levels[level].bandwidth, device_limits::kBandwidth);
  return "Memory level " + as_it_is.name + ": its bandwidth is " + to_text(*as_it_is.bandwidth);
}

}  // namespace gdsim
