#include <gdsim/import/ptx/atomic_addresses.hpp>

#include <gdsim/import/ptx/group_run.hpp>
#include <gdsim/import/ptx/joined_loads.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace gdsim {
namespace {

constexpr std::uint64_t kMaxGroups = 256;

using Items = std::unordered_map<std::uint64_t, std::uint64_t>;

bool is_even(const Items& items) {
  const auto by_count = [](const auto& a, const auto& b) { return a.second < b.second; };
  const auto [fewest, largest] = std::minmax_element(items.begin(), items.end(), by_count);
  return fewest->second == largest->second;
}

/// Why no step can describe the instruction, judged by one work-group; empty: a step can.
std::string reason_of_group(const AccessCounts& counts) {
  if (counts.lanes != counts.requests * kLanes)
    return fmt::format("is executed by {} work-items in {} requests, and a step `atomic` is one of all {} of a warp",
                       counts.lanes, counts.requests, kLanes);
  if (counts.min_addresses != counts.max_addresses || counts.max_same * counts.min_addresses != kLanes)
    return "has requests whose work-items do not go evenly to their addresses, as those of a step `atomic` do";
  return {};
}

/// Executes whole work-groups of the middle of the grid.
BlockLog followed(const PreparedKernel& kernel, const PtxLaunch& launch, std::uint64_t groups,
                  UnresolvedInputs& unresolved) {
  BlockLog log(kernel, widths_in_ptx(kernel), 0, ~std::uint64_t{0});
  log.keeps_sectors = true;
  const std::uint64_t first = (launch.groups() - groups) / 2;
  for (std::uint64_t group = first; group < first + groups; ++group)
    run_group(kernel, launch, position_of(launch, group), log, unresolved);
  return log;
}

AtomicAddresses of_wave(std::uint64_t own, const Items& wave, std::uint64_t groups, std::uint64_t resident) {
  AtomicAddresses result;
  if (!is_even(wave)) {
    result.reason = fmt::format("accesses some of its {} addresses more often than others", wave.size());
  } else if (wave.size() == own) {
    result.count = own;
    result.origin = fmt::format("the same addresses in all of {} work-groups followed", groups);
  } else if (wave.size() == own * groups) {
    result.count = own * resident;
    result.origin = fmt::format("each of {} work-groups resident at once has {} of its own", resident, own);
  } else {
    result.reason = fmt::format("accesses {} addresses in a work-group and {} in {}: neither the same nor its own each",
                                own, wave.size(), groups);
  }
  return result;
}

AtomicAddresses of_global(std::uint32_t instruction, const BlockLog& log, const BlockLog& wave, std::uint64_t groups,
                          std::uint64_t resident) {
  const auto own = log.atomics.find(instruction);
  const auto all = wave.atomics.find(instruction);
  if (own == log.atomics.end() || all == wave.atomics.end() || (groups < 2 && resident > 1))
    return {0, {}, "has addresses that were not followed in several work-groups: they execute too many instructions"};
  AtomicAddresses result = of_wave(own->second.size(), all->second, groups, resident);
  const std::uint64_t of_request = log.accesses[instruction].max_addresses;
  if (result.reason.empty() && of_request != std::min<std::uint64_t>(kLanes, result.count))
    result.reason = fmt::format("accesses {} addresses in a request, of {} in all: a step `atomic` spreads evenly",
                                of_request, result.count);
  return result;
}

}  // namespace

std::map<std::uint32_t, AtomicAddresses> atomic_addresses(const PreparedKernel& kernel, const PtxLaunch& launch,
                                                          const BlockLog& log, std::uint64_t resident,
                                                          UnresolvedInputs& unresolved) {
  std::map<std::uint32_t, AtomicAddresses> found;
  const std::uint64_t affordable = kMaxAtomicInstructions / std::max<std::uint64_t>(1, log.instructions);
  const std::uint64_t groups =
      std::max<std::uint64_t>(1, std::min({resident, launch.groups(), kMaxGroups, affordable}));
  std::optional<BlockLog> wave;
  for (std::uint32_t i = 0; i < kernel.instructions.size(); ++i) {
    const AccessCounts& counts = log.accesses[i];
    if (kernel.instructions[i].traits.role != PtxRole::atomic || counts.requests == 0 || counts.is_gathered) continue;
    AtomicAddresses& of = found[i];
    of.reason = reason_of_group(counts);
    if (!of.reason.empty()) continue;
    if (counts.is_shared) {
      of.count = counts.max_addresses;
      of.origin = "addresses of one request";
      continue;
    }
    if (!wave) wave.emplace(followed(kernel, launch, groups, unresolved));
    of = of_global(i, log, *wave, groups, std::min(resident, launch.groups()));
  }
  return found;
}

}  // namespace gdsim
