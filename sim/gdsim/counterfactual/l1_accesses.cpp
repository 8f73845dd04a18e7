#include <gdsim/counterfactual/program_change.hpp>

#include <gdsim/program/instruction_cycles.hpp>
#include <gdsim/program/program_plan.hpp>

#include <algorithm>
#include <map>
#include <utility>

namespace gdsim {
namespace {

/// Picoseconds under the first clock; saturates if the value does not fit.
std::int64_t length_of(const StepTime& time, const DeviceSpec& device) {
  constexpr Duration longest{std::int64_t{1} << 62};
  return resolve(time, clock_of(device), Decimal::whole(1)).value_or(longest).count;
}

StepTime picoseconds(std::int64_t count) {
  return {Decimal::whole(static_cast<std::uint64_t>(count)), StepTime::Unit::picoseconds};
}

std::int64_t length_of_slots(const IssueSlots& issue, const Kernel& kernel, const DeviceSpec& device) {
  return length_of(issue.by_kind.empty() ? issue.slots : cycles_of(issue.by_kind, device, kernel.sub_group), device);
}

/// Returns a step in which all threads do `first` and then `second`.
Step one_by_one(const Kernel& kernel, Step first, Step second) {
  const auto threads = static_cast<std::uint32_t>(kernel.threads_per_work_group());
  return Only{{{0, threads - 1}}, {std::move(first), std::move(second)}};
}

/// Returns the step for a thread that does not share the pipe.
Step with_own_pipe(const IssueSlots& issue, const Kernel& kernel, const DeviceSpec& device) {
  const std::int64_t longer =
      length_of(l1_cycles_of(issue.l1, *device.l1), device) - length_of_slots(issue, kernel, device);
  const StepTime& latency = device.l1->latency;
  IssueSlots alone = issue;
  alone.l1.clear();
  const std::int64_t rest =
      std::max<std::int64_t>(longer, 0) + (latency.amount.is_zero() ? 0 : length_of(latency, device));
  return rest == 0 ? Step(std::move(alone)) : one_by_one(kernel, std::move(alone), Compute{picoseconds(rest)});
}

/// Returns the `memory` step of the traffic that these accesses cause beyond L1: before them for loads, after them for
/// stores. Null if there is none.
Memory* traffic_beside(Program& steps, std::size_t at, const L1Access& access) {
  const bool is_store = access.instruction.starts_with("st");
  std::size_t i = is_store ? at + 1 : at - 1;  // wraps beyond the end if the access is the first step
  while (is_store && i < steps.size() && std::holds_alternative<Atomic>(steps[i])) ++i;
  auto* memory = i < steps.size() ? std::get_if<Memory>(&steps[i]) : nullptr;
  return memory != nullptr && (memory->is_asynchronous || memory->written || !is_store) ? memory : nullptr;
}

/// Makes a store write only whole sectors.
void make_whole(WrittenSectors& written, const L1Access& access) {
  const std::uint64_t own = std::min(written.partial, access.sectors.value_or(written.partial));
  written.partial -= own;
  written.whole += own - std::min(own, access.excess_sectors);
  if (written.partial + written.whole == 0) written.whole = 1;
}

void drop_excess(Memory& traffic, const L1Access& access) {
  constexpr std::int64_t sector = 32;
  const auto excess = static_cast<std::int64_t>(access.excess_sectors) * sector;
  traffic.bytes.count = std::max(traffic.bytes.count - excess, std::min(sector, traffic.bytes.count));
  if (traffic.written) make_whole(*traffic.written, access);
}

bool coalesce(Program& steps, const ScatteredAccess& access) {
  bool is_there = false;
  for (std::size_t at = 0; at < steps.size(); ++at) {
    if (auto* loop = std::get_if<Loop>(&steps[at])) is_there |= coalesce(loop->body, access);
    if (auto* only = std::get_if<Only>(&steps[at])) is_there |= coalesce(only->body, access);
    if (auto* tiles = std::get_if<Tiles>(&steps[at]))
      for (std::size_t i = 0; i < tiles->body_count(); ++i) is_there |= coalesce(tiles->body_of(i), access);
    auto* issue = std::get_if<IssueSlots>(&steps[at]);
    for (std::size_t i = 0; issue != nullptr && i < issue->l1.size(); ++i) {
      L1Access& one = issue->l1[i];
      if (one.source_line != access.source_line || one.instruction != access.instruction) continue;
      one.lines = one.coalesced.value_or(one.lines);
      if (Memory* traffic = one.excess_sectors > 0 ? traffic_beside(steps, at, one) : nullptr)
        drop_excess(*traffic, one);
      is_there = true;
    }
  }
  return is_there;
}

UInt128 moved_bytes(const Program& program) {
  UInt128 bytes = 0;
  for (const Step& step : program) {
    if (const auto* memory = std::get_if<Memory>(&step)) bytes += static_cast<UInt128>(memory->bytes.count);
    if (const auto* loop = std::get_if<Loop>(&step)) bytes += loop->count * moved_bytes(loop->body);
    if (const auto* only = std::get_if<Only>(&step)) bytes += moved_bytes(only->body);
  }
  return bytes;
}

/// Keeps the bytes that the last level of memory serves, up to all that are left: sectors that a cache has served
/// repeatedly are no longer requested twice.
void keep_last_level(Kernel& kernel, const MemoryRule& memory, UInt128 before, UInt128 after) {
  if (memory.levels.size() < 2 || !kernel.shared_working_set || kernel.working_set) return;
  const auto cache = static_cast<UInt128>(memory.levels[memory.levels.size() - 2].capacity.value_or(Bytes{}).count);
  const auto set = static_cast<UInt128>(kernel.shared_working_set->count);
  if (set <= cache || cache == 0) return;
  const UInt128 last = before * (set - cache);  // bytes times `set`
  if (after * set <= last)
    kernel.shared_working_set.reset();
  else
    kernel.shared_working_set = Bytes{static_cast<std::int64_t>(cache * after * set / (after * set - last))};
}

}  // namespace

bool has_l1_accesses(const Scenario& scenario) {
  const auto& kernels = scenario.workload.kernels;
  return std::any_of(kernels.begin(), kernels.end(),
                     [](const Kernel& kernel) { return has_l1_accesses(kernel.program); });
}

Step with_own_issue_slots(const IssueSlots& issue, const Kernel& kernel, const DeviceSpec& device) {
  const std::int64_t longer =
      length_of_slots(issue, kernel, device) - length_of(l1_cycles_of(issue.l1, *device.l1), device);
  IssueSlots pipe{picoseconds(1), {}, issue.l1};
  return longer <= 0 ? Step(std::move(pipe)) : one_by_one(kernel, Compute{picoseconds(longer)}, std::move(pipe));
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

std::vector<ScatteredAccess> scattered_accesses(const Scenario& scenario, std::size_t max) {
  std::vector<ScatteredAccess> all;
  for (std::size_t k = 0; k < scenario.workload.kernels.size(); ++k) {
    std::map<std::pair<std::uint32_t, std::string>, ScatteredAccess> found;
    for_each_step(scenario.workload.kernels[k].program, [&](const Step& step) {
      const auto* issue = std::get_if<IssueSlots>(&step);
      for (std::size_t i = 0; issue != nullptr && i < issue->l1.size(); ++i) {
        const L1Access& access = issue->l1[i];
        const std::uint64_t coalesced = access.coalesced.value_or(access.lines);
        if (access.source_line == 0 || (coalesced >= access.lines && access.excess_sectors == 0)) continue;
        ScatteredAccess& one = found[{access.source_line, access.instruction}];
        one.kernel = static_cast<KernelId>(k);
        one.source_line = access.source_line;
        one.instruction = access.instruction;
        one.requests += access.requests;
        one.lines += access.lines;
        one.coalesced += coalesced;
        one.excess_sectors += access.excess_sectors;
      }
    });
    std::vector<ScatteredAccess> worst;
    for (auto& [place, one] : found) worst.push_back(std::move(one));
    const auto falls = [](const ScatteredAccess& one) { return one.lines - one.coalesced; };
    std::stable_sort(worst.begin(), worst.end(),
                     [&](const ScatteredAccess& a, const ScatteredAccess& b) { return falls(a) > falls(b); });
    worst.resize(std::min(worst.size(), max));
    std::stable_sort(worst.begin(), worst.end(),
                     [](const ScatteredAccess& a, const ScatteredAccess& b) { return a.source_line < b.source_line; });
    all.insert(all.end(), worst.begin(), worst.end());
  }
  return all;
}

bool coalesce(Kernel& kernel, const ScatteredAccess& access, const DeviceSpec& device) {
  const UInt128 before = moved_bytes(kernel.program);
  bool is_there = false;
  for (std::size_t i = 0; i < kernel.program_count(); ++i) is_there |= coalesce(kernel.program_of(i), access);
  if (is_there && device.memory) keep_last_level(kernel, *device.memory, before, moved_bytes(kernel.program));
  return is_there;
}

}  // namespace gdsim
