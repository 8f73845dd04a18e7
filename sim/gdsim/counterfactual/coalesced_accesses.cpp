#include <gdsim/counterfactual/program_change.hpp>

#include <algorithm>
#include <cstddef>
#include <map>
#include <numeric>
#include <utility>
#include <variant>
#include <vector>

namespace gdsim {
namespace {

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
  const std::uint64_t sectors = std::min(written.partial, access.sectors.value_or(written.partial));
  written.partial -= sectors;
  written.whole += sectors - std::min(sectors, access.excess_sectors);
  if (written.partial + written.whole == 0) written.whole = 1;
}

void drop_excess(Memory& traffic, const L1Access& access) {
  constexpr std::int64_t sector = 32;
  const auto excess = static_cast<std::int64_t>(access.excess_sectors) * sector;
  traffic.bytes.count = std::max(traffic.bytes.count - excess, std::min(sector, traffic.bytes.count));
  if (traffic.written) make_whole(*traffic.written, access);
}

bool coalesce(Program& steps, const ScatteredAccess& access) {
  bool found = false;
  for (std::size_t at = 0; at < steps.size(); ++at) {
    if (auto* loop = std::get_if<Loop>(&steps[at])) found |= coalesce(loop->body, access);
    if (auto* only = std::get_if<Only>(&steps[at])) found |= coalesce(only->body, access);
    if (auto* tiles = std::get_if<Tiles>(&steps[at]))
      for (std::size_t i = 0; i < tiles->body_count(); ++i) found |= coalesce(tiles->body_of(i), access);
    auto* issue = std::get_if<IssueSlots>(&steps[at]);
    for (std::size_t i = 0; issue != nullptr && i < issue->l1.size(); ++i) {
      L1Access& l1_access = issue->l1[i];
      if (l1_access.source_line != access.source_line || l1_access.instruction != access.instruction) continue;
      l1_access.lines = l1_access.coalesced.value_or(l1_access.lines);
      if (Memory* traffic = l1_access.excess_sectors > 0 ? traffic_beside(steps, at, l1_access) : nullptr)
        drop_excess(*traffic, l1_access);
      found = true;
    }
  }
  return found;
}

/// Returns the bytes that a thread moves, without those of its tiles.
UInt128 moved_bytes(const Program& program) {
  UInt128 bytes = 0;
  for (const Step& step : program) {
    if (const auto* memory = std::get_if<Memory>(&step)) bytes += static_cast<UInt128>(memory->bytes.count);
    if (const auto* loop = std::get_if<Loop>(&step)) bytes += loop->count * moved_bytes(loop->body);
    if (const auto* only = std::get_if<Only>(&step)) bytes += moved_bytes(only->body);
  }
  return bytes;
}

/// A program, or a body of tiles, and how often threads of a launch execute it.
struct ExecutedProgram {
  const Program& program;
  std::uint64_t times = 0;
};

std::vector<ExecutedProgram> executed_programs(const Kernel& kernel) {
  const std::uint64_t threads = kernel.threads_per_work_group();
  std::vector<ExecutedProgram> executed;
  for (std::size_t i = 0; i < kernel.program_count(); ++i) executed.push_back({kernel.program_of(i), 0});
  if (!kernel.differs_by_group()) executed.front().times = threads * kernel.range.group_count();
  for (const std::uint32_t number : kernel.group_programs.of_group) executed[number].times += threads;
  for (const Step& step : kernel.program) {
    const auto* tiles = std::get_if<Tiles>(&step);
    if (tiles == nullptr) continue;
    const std::vector<std::uint64_t> counts = tiles_by_body(*tiles);
    for (std::size_t i = 0; i < counts.size(); ++i)
      executed.push_back({tiles->body_of(i), counts[i] * (tiles->per == TileTaker::thread ? 1 : threads)});
  }
  return executed;
}

/// Returns the bytes that all threads of a launch move, in a unit that is the same whatever the steps move.
UInt128 moved_bytes(const Kernel& kernel) {
  const std::vector<ExecutedProgram> programs = executed_programs(kernel);
  std::uint64_t unit = 0;
  for (const ExecutedProgram& executed : programs) unit = std::gcd(unit, executed.times);
  UInt128 bytes = 0;
  for (const ExecutedProgram& executed : programs)
    bytes += moved_bytes(executed.program) * (executed.times / std::max<std::uint64_t>(unit, 1));
  return bytes;
}

/// Keeps the number of bytes that the last level of memory serves, or all bytes that are left if these are fewer: the
/// dropped ones are sectors that were requested again, which a cache had served.
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
        ScatteredAccess& scattered = found[{access.source_line, access.instruction}];
        scattered.kernel = static_cast<KernelId>(k);
        scattered.source_line = access.source_line;
        scattered.instruction = access.instruction;
        scattered.requests += access.requests;
        scattered.lines += access.lines;
        scattered.coalesced += coalesced;
        scattered.excess_sectors += access.excess_sectors;
      }
    });
    std::vector<ScatteredAccess> worst;
    for (auto& [place, scattered] : found) worst.push_back(std::move(scattered));
    const auto falls = [](const ScatteredAccess& scattered) { return scattered.lines - scattered.coalesced; };
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
  const UInt128 before = moved_bytes(kernel);
  bool found = false;
  for (std::size_t i = 0; i < kernel.program_count(); ++i) found |= coalesce(kernel.program_of(i), access);
  if (found && device.memory) keep_last_level(kernel, *device.memory, before, moved_bytes(kernel));
  return found;
}

}  // namespace gdsim
