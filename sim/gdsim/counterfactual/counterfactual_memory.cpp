#include <gdsim/analysis/notes/device_notes.hpp>
#include <gdsim/analysis/run_report.hpp>
#include <gdsim/analysis/selected_launches.hpp>
#include <gdsim/counterfactual/counterfactual.hpp>
#include <gdsim/counterfactual/program_change.hpp>
#include <gdsim/device/device_rules.hpp>
#include <gdsim/program/instruction_cycles.hpp>
#include <gdsim/program/program_plan.hpp>
#include <gdsim/workload/launched_kernels.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <utility>
#include <vector>

namespace gdsim {
namespace {

/// Returns the time in picoseconds under the first clock; saturates if it does not fit.
std::int64_t length_of(const StepTime& time, const DeviceSpec& device) {
  constexpr Duration longest{std::int64_t{1} << 62};
  return resolve(time, clock_of(device), Decimal::whole(1)).value_or(longest).count;
}

StepTime picoseconds(std::int64_t count) {
  return {Decimal::whole(static_cast<std::uint64_t>(count)), StepTime::Unit::picoseconds};
}

std::int64_t length_of_slots(const IssueSlots& issue, const Kernel& kernel, const DeviceSpec& device) {
  return length_of(issue.by_kind.empty() ? issue.slots : longest_work_of(issue.by_kind, device, kernel), device);
}

/// Returns a step in which each thread does `first` and then `second`.
Step in_sequence(const Kernel& kernel, Step first, Step second) {
  const auto threads = static_cast<std::uint32_t>(kernel.threads_per_work_group());
  return Only{{{0, threads - 1}}, {std::move(first), std::move(second)}};
}

/// Returns the step for a thread that shares issue slots, but has an L1 pipe of its own.
Step with_own_pipe(const IssueSlots& issue, const Kernel& kernel, const DeviceSpec& device) {
  const std::int64_t beyond_slots =
      length_of(l1_cycles_of(issue.l1, *device.l1), device) - length_of_slots(issue, kernel, device);
  const StepTime& latency = device.l1->latency;
  IssueSlots without_l1 = issue;
  without_l1.l1.clear();
  const std::int64_t rest =
      std::max<std::int64_t>(beyond_slots, 0) + (latency.amount.is_zero() ? 0 : length_of(latency, device));
  return rest == 0 ? Step(std::move(without_l1))
                   : in_sequence(kernel, std::move(without_l1), Compute{picoseconds(rest)});
}

}  // namespace

bool has_l1_accesses(const Scenario& scenario) {
  const auto& kernels = scenario.workload.kernels;
  return std::any_of(kernels.begin(), kernels.end(),
                     [](const Kernel& kernel) { return has_l1_accesses(kernel.program); });
}

Step with_own_issue_slots(const IssueSlots& issue, const Kernel& kernel, const DeviceSpec& device) {
  const std::int64_t beyond_l1 =
      length_of_slots(issue, kernel, device) - length_of(l1_cycles_of(issue.l1, *device.l1), device);
  IssueSlots pipe{picoseconds(1), {}, issue.l1};
  return beyond_l1 <= 0 ? Step(std::move(pipe)) : in_sequence(kernel, Compute{picoseconds(beyond_l1)}, std::move(pipe));
}

bool give_own_pipes(Scenario& changed) {
  bool is_changed = false;
  for (Kernel& kernel : changed.workload.kernels)
    is_changed |= change_programs(kernel, [&](Step& step) {
      const auto* issue = std::get_if<IssueSlots>(&step);
      if (issue == nullptr || issue->l1.empty()) return StepChange::none;
      step = with_own_pipe(IssueSlots(*issue), kernel, changed.device);
      return StepChange::changed;
    });
  return is_changed;
}

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
std::vector<const Kernel*> launched_kernels_where(const Scenario& scenario, bool (*holds)(const Program&)) {
  std::vector<const Kernel*> kernels = launched_kernels(scenario.workload);
  std::erase_if(kernels, [&](const Kernel* kernel) { return !holds(kernel->program); });
  return kernels;
}

bool uses_memory(const Scenario& scenario) {
  return scenario.device.memory && !launched_kernels_where(scenario, gdsim::uses_memory).empty();
}

bool has_global_atomics(const Scenario& scenario) {
  return !launched_kernels_where(scenario, gdsim::has_global_atomics).empty();
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
  atomics.global_float.reset();
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
  const Ratio accessing = run.share(Activity::access);
  return ChangeWords{
      run.wait_words(has_atomics ? "Memory and atomics" : "Memory", Activity::memory,
                     fmt::format("behind the accesses of other {}s and spend {} % in their own (latency included)",
                                 run.terms().thread, to_fixed({accessing.numerator * 100, accessing.denominator}, 1))),
      has_atomics ? "with unlimited bandwidth, bytes in flight and atomics"
                  : "with unlimited bandwidth and bytes in flight"};
}

std::optional<ChangeWords> raise_bytes_in_flight(const Baseline& run, Scenario& changed) {
  if (!uses_memory(run.scenario())) return std::nullopt;
  // The kernel that lasted longest or, if that does not use memory, the first that does.
  const std::vector<const Kernel*> users = launched_kernels_where(run.scenario(), gdsim::uses_memory);
  const auto longest = std::find(users.begin(), users.end(), longest_kernel(run.scenario().workload, run.record()));
  const Kernel& kernel = longest == users.end() ? *users.front() : **longest;
  const auto in_flight = kernel.in_flight ? kernel.in_flight : run.scenario().device.memory->in_flight;
  if (!in_flight) return std::nullopt;
  raise_in_flight(changed);
  const Terms& terms = run.terms();
  return ChangeWords{fmt::format("Bytes in flight: a {} of {} has at most {} of its loads in flight (`in_flight`)",
                                 terms.thread, kernel.name, to_text(*in_flight)),
                     "with all loads of a step in flight at once"};
}

std::optional<ChangeWords> raise_atomic_rates(const Baseline& run, Scenario& changed) {
  const AtomicRule& atomics = run.scenario().device.atomics;
  if (!atomics.global || !uses_memory(run.scenario()) || !has_global_atomics(run.scenario())) return std::nullopt;
  raise_atomics(changed.device.atomics);
  return ChangeWords{fmt::format("Atomics: the device performs {} atomic{} on one address per cycle",
                                 to_text(*atomics.global), compare(*atomics.global, Decimal::whole(1)) == 0 ? "" : "s"),
                     "with an unlimited rate"};
}

std::optional<ChangeWords> raise_level_bandwidth(const Baseline& run, Scenario& changed, std::size_t level) {
  if (!uses_memory(run.scenario())) return std::nullopt;
  const MemoryLevel& as_it_is = run.scenario().device.memory->levels[level];
  if (!as_it_is.bandwidth) return std::nullopt;
  raise_to_unlimited(changed.device.memory->levels[level].bandwidth, device_limits::kBandwidth);
  return ChangeWords{"Memory level " + as_it_is.name + ": its bandwidth is " + to_text(*as_it_is.bandwidth),
                     "with unlimited bandwidth"};
}

namespace {

/// Lines per request, with one decimal if that is not a whole number.
std::string per_request(std::uint64_t lines, std::uint64_t requests) {
  const Ratio mean{UInt128{lines}, UInt128{requests}};
  return lines % requests == 0 ? std::to_string(lines / requests) : to_fixed(mean, 1);
}

/// `77 (ld.global.f32), 81, 85 and 2 more`
std::string lines_text(const std::vector<ScatteredAccess>& accesses) {
  constexpr std::size_t max = 3;
  std::string text;
  for (std::size_t i = 0; i < accesses.size() && i < max; ++i)
    text += (i == 0 ? "" : ", ") + std::to_string(accesses[i].source_line) +
            (accesses[i].instruction.empty() ? "" : " (" + accesses[i].instruction + ")");
  if (accesses.size() > max) text += fmt::format(" and {} more", accesses.size() - max);
  return text;
}

/// Returns true for an access to shared memory: its `lines` are cycles of banks, not cache lines of L1.
bool is_to_shared_memory(const ScatteredAccess& access) {
  return access.instruction.find(".shared") != std::string::npos;
}

/// If it is not known by how much coalescing reduces the traffic beyond L1, the changed run keeps that traffic, and
/// shows less than coalescing would save.
constexpr const char* kSameTraffic = "with neighbouring addresses and the same traffic beyond L1";
constexpr const char* kLessTraffic = "with neighbouring addresses";
constexpr const char* kWithoutConflicts = "without conflicts";

const char* condition_of(const ScatteredAccess& access) {
  return is_to_shared_memory(access) ? kWithoutConflicts : access.excess_sectors > 0 ? kLessTraffic : kSameTraffic;
}

std::string words_of(const ScatteredAccess& access, const std::string& of_kernel) {
  const std::string instruction = access.instruction.empty() ? std::string() : " (" + access.instruction + ")";
  const std::string line = std::to_string(access.source_line) + instruction + of_kernel;
  const std::string lines = per_request(access.lines, access.requests);
  const std::string fewer = per_request(access.coalesced, access.requests);
  const std::string traffic = access.excess_sectors > 0
                                  ? fmt::format(", and {} needless sectors per request leave L1",
                                                per_request(access.excess_sectors, access.requests))
                                  : std::string();
  if (is_to_shared_memory(access))
    return fmt::format(
        "Bank conflicts: source line {} takes {} cycles of the banks of shared memory per request instead of {}", line,
        lines, fewer);
  return fmt::format("Coalescing: source line {} occupies {} cache lines of L1 per request instead of {}{}", line,
                     lines, fewer, traffic);
}

std::string words_of(const std::vector<ScatteredAccess>& all, const Ratio& excess) {
  const auto banks = std::count_if(all.begin(), all.end(), is_to_shared_memory);
  const std::string where = lines_text(all);
  const std::string times = to_fixed(excess, 1);
  if (banks == 0)
    return fmt::format("Coalescing: source lines {} occupy {} times as many cache lines of L1 as necessary", where,
                       times);
  if (static_cast<std::size_t>(banks) == all.size())
    return fmt::format(
        "Bank conflicts: source lines {} take {} times as many bank cycles of shared memory as necessary", where,
        times);
  return fmt::format(
      "Coalescing and bank conflicts: source lines {} occupy L1 and shared memory {} times as long as necessary", where,
      times);
}

}  // namespace

std::optional<ChangeWords> coalesce_accesses(const Baseline& run, Scenario& changed, const ScatteredAccess& access) {
  Kernel& kernel = changed.workload.kernels[index_of(access.kernel)];
  if (!coalesce(kernel, access, changed.device)) return std::nullopt;
  const std::string of_kernel = run.scenario().workload.kernels.size() > 1 ? " of " + kernel.name : std::string();
  return ChangeWords{words_of(access, of_kernel), condition_of(access)};
}

std::optional<ChangeWords> coalesce_all_accesses(const Baseline& run, Scenario& changed) {
  const std::vector<ScatteredAccess> all = scattered_accesses(run.scenario(), std::numeric_limits<std::size_t>::max());
  if (all.size() < 2) return std::nullopt;
  Ratio excess{0, 0};  // lines that are occupied to lines that are necessary
  for (const ScatteredAccess& access : all) {
    coalesce(changed.workload.kernels[index_of(access.kernel)], access, changed.device);
    excess.numerator += access.lines;
    excess.denominator += access.coalesced;
  }
  // One condition covers all accesses: it names L1 if any of them is to L1, and less traffic if any reduces it.
  const auto decisive =
      std::max_element(all.begin(), all.end(), [](const ScatteredAccess& a, const ScatteredAccess& b) {
        return std::pair(!is_to_shared_memory(a), a.excess_sectors) <
               std::pair(!is_to_shared_memory(b), b.excess_sectors);
      });
  return ChangeWords{words_of(all, excess), condition_of(*decisive)};
}

std::optional<ChangeWords> keep_first_clock(const Baseline& run, Scenario& changed) {
  const auto clocks = clocks_in_force(device_as_run(run.scenario().device, run.record()), run.record());
  if (!clocks) return std::nullopt;
  changed.device.clock_changes.clear();
  changed.device.power.reset();
  return ChangeWords{"Clock: the clock changes (" + *clocks + ")", "with the initial clock"};
}

}  // namespace gdsim
