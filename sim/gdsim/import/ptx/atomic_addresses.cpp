#include <gdsim/import/ptx/atomic_addresses.hpp>

#include <gdsim/import/ptx/group_run.hpp>
#include <gdsim/import/ptx/joined_loads.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <optional>

namespace gdsim {
namespace {

constexpr std::uint64_t kMaxGroups = 256;

/// Addresses over which whole warps would be spread evenly, if the one accessed most often is accessed as often.
double even_addresses(const BlockLog& log, std::uint32_t instruction) {
  const auto items = log.atomics.find(instruction);
  if (items == log.atomics.end() || items->second.empty()) return 0;
  std::uint64_t most = 0;
  for (const auto& [address, count] : items->second) most = std::max(most, count);
  return static_cast<double>(log.accesses[instruction].requests * kLanes) / static_cast<double>(most);
}

/// Executes whole work-groups of the middle of the grid.
BlockLog followed(const PreparedKernel& kernel, const PtxLaunch& launch, std::uint64_t groups,
                  UnresolvedInputs& unresolved) {
  BlockLog log(kernel, widths_in_ptx(kernel), 0, ~std::uint64_t{0}, Followed::global);
  log.keeps_sectors = true;
  const std::uint64_t first = (launch.groups() - groups) / 2;
  for (std::uint64_t group = first; group < first + groups; ++group)
    run_group(kernel, launch, position_of(launch, group), log, unresolved);
  return log;
}

/// Of one work-group, and of so many followed ones.
AtomicAddresses of_wave(double own, double wave, std::uint64_t groups, std::uint64_t resident) {
  constexpr double tolerance = 0.02;
  const auto is_near = [&](double a, double b) { return std::abs(a - b) <= tolerance * b; };
  AtomicAddresses result;
  double count = own;
  if (is_near(wave, own)) {
    result.origin = fmt::format("the same addresses in all of {} work-groups followed", groups);
  } else if (is_near(wave, own * static_cast<double>(groups))) {
    count = own * static_cast<double>(resident);
    result.origin = fmt::format("each of {} work-groups resident at once has {:.6g} of its own", resident, own);
  } else {
    count = own + (wave - own) * static_cast<double>(resident - 1) / static_cast<double>(groups - 1);
    result.origin =
        fmt::format("ASSUMED: as many more with each of {} work-groups as in the {} followed", resident, groups);
  }
  result.count = std::max<std::uint64_t>(1, static_cast<std::uint64_t>(std::llround(count)));
  return result;
}

AtomicAddresses of_global(std::uint32_t instruction, const BlockLog& log, const BlockLog& wave, std::uint64_t groups,
                          std::uint64_t resident) {
  const double own = even_addresses(log, instruction);
  const double all = even_addresses(wave, instruction);
  if (groups < 2 || all == 0) {
    AtomicAddresses result;
    result.count = std::max<std::uint64_t>(1, static_cast<std::uint64_t>(std::llround(own)));
    result.origin = resident < 2 ? "addresses of the only work-group"
                                 : "ASSUMED: all work-groups access those of one, which alone was followed";
    return result;
  }
  return of_wave(own, all, groups, resident);
}

AtomicAddresses of_gathered(const PtxLaunch& launch, std::uint32_t bytes) {
  AtomicAddresses result;
  if (!launch.gather_range) {
    result.reason = "has addresses that depend on data; say in how many bytes they lie, as in --gather 32:1MiB";
    return result;
  }
  result.count = std::max<std::uint64_t>(1, *launch.gather_range / std::max(1U, bytes));
  result.origin = "ASSUMED by --gather";
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
    if (kernel.instructions[i].traits.role != PtxRole::atomic || counts.requests == 0) continue;
    AtomicAddresses& of = found[i];
    if (counts.is_gathered) {
      of = of_gathered(launch, kernel.instructions[i].traits.bytes);
    } else if (counts.is_shared) {
      of.count = std::max(1U, kLanes / std::max(1U, counts.max_same));
      of.origin = "addresses of one request";
    } else {
      if (!wave) wave.emplace(followed(kernel, launch, groups, unresolved));
      of = of_global(i, log, *wave, groups, std::min(resident, launch.groups()));
    }
  }
  return found;
}

}  // namespace gdsim
