#include <gdsim/import/ptx/kernel_profile.hpp>

#include <gdsim/import/ptx/group_run.hpp>
#include <gdsim/import/ptx/joined_loads.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace gdsim {
namespace {

constexpr std::uint64_t kMaxFollowedGroups = 256;
constexpr std::uint64_t kFollowedInstructions = 4'000'000;  ///< of warps, summed over all groups of the wave
constexpr std::uint64_t kMinTurns = 12;

std::shared_ptr<BlockLog> executed(const PreparedKernel& kernel, const AccessWidths& widths,
                                   const ProfileRequest& request, std::uint64_t group, UnresolvedInputs& unresolved) {
  auto log = std::make_shared<BlockLog>(kernel, widths, request.l1_sectors, kMaxPtxInstructions);
  log->keeps_sectors = true;
  log->keeps_warps = true;
  run_group(kernel, request.launch, position_of(request.launch, group), *log, unresolved);
  return log;
}

/// The number of the work-group in the middle of the grid, in every dimension.
std::uint64_t middle_of(const PtxLaunch& launch) {
  const auto& grid = launch.grid;
  return grid[0] / 2 + grid[0] * (grid[1] / 2 + grid[1] * (grid[2] / 2));
}

/// The work-group that executes most, of the first, the middle and the last one; the middle one if none executes more.
/// Notes if they differ.
std::uint64_t busiest_of(const ProfileRequest& request, UnresolvedInputs& unresolved, KernelProfile& profile) {
  const std::uint64_t middle = middle_of(request.launch);
  std::map<std::uint64_t, std::uint64_t> instructions;
  for (const std::uint64_t group : {middle, std::uint64_t{0}, profile.groups - 1}) {
    if (instructions.count(group) != 0) continue;
    BlockLog log(*profile.kernel, AccessWidths(profile.widths.size(), 0), 0, kMaxPtxInstructions);
    run_group(*profile.kernel, request.launch, position_of(request.launch, group), log, unresolved);
    instructions[group] = log.instructions;
  }
  std::uint64_t busiest = middle;
  for (const auto& [group, count] : instructions)
    if (count > instructions[busiest]) busiest = group;
  for (const auto& [group, count] : instructions)
    if (count != instructions[busiest])
      profile.notes.push_back(
          fmt::format("ASSUMED: all work-groups do what number {} does, whose warps execute {} instructions; those of "
                      "number {} execute {}; others than the first, the middle and the last were not followed whole",
                      busiest, instructions[busiest], group, count));
  return busiest;
}

/// Executes the beginning of consecutive work-groups, to find the share of common sectors in their loads from L2.
void follow_wave(const ProfileRequest& request, UnresolvedInputs& unresolved, KernelProfile& profile) {
  const std::uint64_t groups = std::min({request.resident_groups, profile.groups, kMaxFollowedGroups});
  const std::uint64_t first = (profile.groups - groups) / 2;
  BlockLog log(*profile.kernel, profile.widths, request.l1_sectors, ~std::uint64_t{0});
  log.keeps_sectors = true;
  const std::uint64_t executions =
      std::max<std::uint64_t>(1, profile.log->instructions / std::max<std::uint64_t>(1, profile.warps));
  const std::uint64_t each = kFollowedInstructions / std::max<std::uint64_t>(1, groups * profile.warps);
  std::uint64_t blocks = 0;
  for (const std::uint64_t count : profile.log->executions) blocks += count;
  const std::uint64_t rounds =
      std::max<std::uint64_t>(kMinTurns, blocks / std::max<std::uint64_t>(1, profile.warps) * each / executions);
  for (std::uint64_t group = first; group < first + groups; ++group)
    run_group(*profile.kernel, request.launch, position_of(request.launch, group), log, unresolved, rounds);
  profile.followed_groups = groups;
  profile.distinct_loads = log.loaded_from_l2.distinct_share();
}

}  // namespace

KernelProfile profile_of(const PtxKernel& kernel, const ProfileRequest& request, const SourceText& source) {
  KernelProfile profile;
  auto prepared = std::make_shared<PreparedKernel>(prepare(kernel, request.launch));
  profile.kernel = prepared;
  profile.warps = request.launch.warps();
  profile.groups = request.launch.groups();
  profile.arguments = request.launch.arguments;
  profile.widths = widths_in_ptx(*prepared);
  UnresolvedInputs unresolved(*prepared, request.launch, source);
  const std::uint64_t group = busiest_of(request, unresolved, profile);
  const auto in_ptx = executed(*prepared, profile.widths, request, group, unresolved);
  profile.widths = widths_joined(*prepared, *in_ptx);
  profile.log = executed(*prepared, profile.widths, request, group, unresolved);
  profile.distinct_stores = profile.log->stored.distinct_share();
  follow_wave(request, unresolved, profile);
  profile.atomics = atomic_addresses(*prepared, request.launch, *profile.log, request.resident_groups, unresolved);
  unresolved.throw_if_any();  // for all executed work-groups
  profile.trips = trip_expressions(kernel, request.launch, *profile.log, source);
  profile.notes.insert(profile.notes.end(), profile.trips.notes.begin(), profile.trips.notes.end());
  return profile;
}

}  // namespace gdsim
