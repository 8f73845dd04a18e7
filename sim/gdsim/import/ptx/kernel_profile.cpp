#include <gdsim/import/ptx/kernel_profile.hpp>

#include <gdsim/import/ptx/group_run.hpp>
#include <gdsim/import/ptx/joined_loads.hpp>
#include <gdsim/workload/program.hpp>

#include <algorithm>
#include <cmath>
#include <optional>

namespace gdsim {
namespace {

constexpr std::uint64_t kMaxFollowedGroups = 256;
constexpr std::uint64_t kFollowedInstructions = 500'000;  ///< of warps, summed over all groups of the wave

std::shared_ptr<BlockLog> executed(const PreparedKernel& kernel, const AccessWidths& widths,
                                   const ProfileRequest& request, std::uint64_t group, RunWarps warps,
                                   UnresolvedInputs& unresolved) {
  auto log = std::make_shared<BlockLog>(kernel, widths, request.l1_sectors, kMaxPtxInstructions);
  log->keeps_sectors = true;
  log->keeps_warps = true;
  run_group(kernel, request.launch, position_of(request.launch, group), *log, unresolved, {warps});
  return log;
}

/// The expected number of different sectors among so many that lie anywhere in a range.
double distinct_in_range(double sectors, std::optional<std::uint64_t> range) {
  if (!range) return sectors;
  const double all = std::max(1.0, static_cast<double>(*range) / static_cast<double>(kSectorBytes));
  return all * (1 - std::exp(-sectors / all));
}

/// Executes the beginning of consecutive work-groups, to find the share of common sectors in their loads from L2.
void follow_wave(const ProfileRequest& request, UnresolvedInputs& unresolved, KernelProfile& profile) {
  const std::uint64_t groups = std::min({request.resident_groups, profile.groups, kMaxFollowedGroups});
  const std::uint64_t first = (profile.groups - groups) / 2;
  BlockLog log(*profile.kernel, profile.widths, request.l1_sectors, ~std::uint64_t{0}, Followed::global);
  log.keeps_sectors = true;
  for (std::uint64_t group = first; group < first + groups; ++group)
    run_group(*profile.kernel, request.launch, position_of(request.launch, group), log, unresolved,
              {RunWarps::all, kFollowedInstructions / groups});
  profile.followed_groups = groups;
  const auto known = static_cast<double>(log.loaded_from_l2.count);
  const auto gathered = static_cast<double>(log.gathered_loads);
  const double distinct = static_cast<double>(log.loaded_from_l2.distinct.size()) +
                          distinct_in_range(gathered, request.launch.gather_range);
  profile.distinct_loads = known + gathered == 0 ? 1 : distinct / (known + gathered);
  const double share = static_cast<double>(groups) / static_cast<double>(profile.groups);
  profile.loaded_footprint = distinct * static_cast<double>(kSectorBytes) / share;
}

}  // namespace

KernelProfile profile_of(const PtxKernel& kernel, const ProfileRequest& request, const SourceText& source) {
  KernelProfile profile;
  auto prepared = std::make_shared<PreparedKernel>(prepare(kernel, request.launch));
  profile.kernel = prepared;
  profile.warps = request.launch.warps();
  profile.groups = request.launch.groups();
  profile.has_warm_l2 = request.launch.has_warm_l2;
  profile.arguments = request.launch.arguments;
  profile.widths = widths_in_ptx(*prepared);
  UnresolvedInputs unresolved(*prepared, request.launch, source);
  profile.samples = sample_groups(*prepared, request.launch, unresolved, kMaxPtxInstructions);
  const std::uint64_t group = profile.samples.busiest;
  const auto in_ptx = executed(*prepared, profile.widths, request, group, RunWarps::first_and_last, unresolved);
  profile.widths = widths_joined(*prepared, *in_ptx);
  profile.log = executed(*prepared, profile.widths, request, group, RunWarps::all, unresolved);
  profile.distinct_stores = profile.log->stored.distinct_share();
  follow_wave(request, unresolved, profile);
  profile.atomics = atomic_addresses(*prepared, request.launch, *profile.log, request.resident_groups, unresolved);
  unresolved.throw_if_any();  // for all executed work-groups
  profile.trips = trip_expressions(kernel, request.launch, *profile.log, source);
  if (!profile.samples.note.empty()) profile.notes.push_back(profile.samples.note);
  profile.notes.insert(profile.notes.end(), profile.trips.notes.begin(), profile.trips.notes.end());
  return profile;
}

}  // namespace gdsim
