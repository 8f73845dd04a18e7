#include <gdsim/import/ptx/kernel_profile.hpp>

#include <gdsim/import/ptx/access_shape.hpp>
#include <gdsim/import/ptx/warp_run.hpp>
#include <gdsim/workload/program.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

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
  run_group(kernel, request.launch, request.launch.position_of(group), *log, unresolved, warps);
  return log;
}

double sectors_in(std::uint64_t range) {
  return std::max(1.0, static_cast<double>(range) / static_cast<double>(kSectorBytes));
}

/// The expected number of different sectors among so many that lie anywhere in a range.
double distinct_in_range(double sectors, std::optional<std::uint64_t> range) {
  if (!range) return sectors;
  const double all = sectors_in(*range);
  return all * (1 - std::exp(-sectors / all));
}

/// The share of so many sectors that L1 does not hold, if they lie anywhere in a range: until it is full, those that
/// are new to it, and then as much as it cannot hold of the range.
double missed_in_range(double sectors, std::uint64_t range, double l1_sectors) {
  const double all = sectors_in(range);
  const double not_held = 1 - std::min(1.0, l1_sectors / all);
  const double until_full = not_held > 0 ? -all * std::log(not_held) : sectors;
  const double first = std::min(sectors, until_full);
  return (distinct_in_range(first, range) + (sectors - first) * not_held) / sectors;
}

/// L1 holds a part of what loads with unknown addresses request of a given range, unless they skip it. Returns the part
/// of all these that L1 does not hold. A warp that L1 does not serve completely misses a sector at least.
double serve_gathers(const ProfileRequest& request, const PreparedKernel& kernel, BlockLog& log) {
  if (!request.launch.gather_range) return 1;
  std::vector<std::uint32_t> served;
  double from_l1 = 0;
  double past_l1 = 0;
  for (std::uint32_t i = 0; i < kernel.instructions.size(); ++i) {
    const PtxClass& traits = kernel.instructions[i].traits;
    if (traits.role != PtxRole::load || log.accesses[i].gathered == 0) continue;
    if (!traits.skips_l1) served.push_back(i);
    (traits.skips_l1 ? past_l1 : from_l1) += static_cast<double>(log.accesses[i].gathered);
  }
  if (from_l1 == 0) return 1;
  const double missed = missed_in_range(from_l1, *request.launch.gather_range, static_cast<double>(request.l1_sectors));
  for (const std::uint32_t i : served) {
    log.accesses[i].missed = 0;
    for (ExecutionCounts& warp : log.by_warp) {
      AccessCounts& counts = warp.accesses[i];
      const double misses = missed * static_cast<double>(counts.gathered);
      const auto whole = static_cast<std::uint64_t>(std::llround(misses));
      counts.missed += (misses > 0 ? std::max<std::uint64_t>(1, whole) : 0) - counts.gathered;
      log.accesses[i].missed += counts.missed;
    }
  }
  return (missed * from_l1 + past_l1) / (from_l1 + past_l1);
}

/// Executes the beginning of consecutive work-groups, to find the share of common sectors in their loads from L2.
void follow_wave(const ProfileRequest& request, double missed_gathers, UnresolvedInputs& unresolved,
                 KernelProfile& profile) {
  const std::uint64_t groups = std::min({request.resident_groups, profile.groups, kMaxFollowedGroups});
  const std::uint64_t first = (profile.groups - groups) / 2;
  BlockLog log(*profile.kernel, profile.widths, request.l1_sectors, ~std::uint64_t{0}, Followed::global);
  log.keeps_sectors = true;
  follow_groups(*profile.kernel, request.launch, first, groups, kFollowedInstructions / groups,
                WaveExecution::representative, log, unresolved);
  profile.followed_groups = groups;
  const auto known = static_cast<double>(log.loaded_from_l2.count);
  const auto gathered = static_cast<double>(log.gathered_loads);
  const double distinct = static_cast<double>(log.loaded_from_l2.distinct.size()) +
                          distinct_in_range(gathered, request.launch.gather_range);
  const double requested = known + missed_gathers * gathered;
  profile.distinct_loads = requested == 0 ? 1 : std::min(1.0, distinct / requested);
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
  if (request.code != nullptr) profile.machine_code = use_machine_code(*request.code, *profile.log, *prepared);
  profile.distinct_stores = profile.log->stored.distinct_share();
  follow_wave(request, serve_gathers(request, *prepared, *profile.log), unresolved, profile);
  profile.atomics = atomic_addresses(*prepared, request.launch, *profile.log, request.resident_groups, unresolved);
  unresolved.throw_if_any();  // for all executed work-groups
  profile.trips = trip_expressions(kernel, request.launch, *profile.log, source);
  profile.notes = profile.machine_code.notes;
  if (!profile.samples.note.empty()) profile.notes.push_back(profile.samples.note);
  profile.notes.insert(profile.notes.end(), profile.trips.notes.begin(), profile.trips.notes.end());
  return profile;
}

namespace {

/// What one work-group does.
struct Sample {
  std::uint64_t group = 0;
  std::vector<std::uint64_t> executions;  ///< by block
  std::vector<LoopCounts> loops;
  std::uint64_t instructions = 0;
};

bool is_within(std::uint64_t a, std::uint64_t b) {
  constexpr std::uint64_t part = 50;  // 2 %
  return (a > b ? a - b : b - a) * part <= std::max(a, b);
}

/// One call of sample_groups().
class GroupSampler {
 public:
  GroupSampler(const PreparedKernel& kernel, const PtxLaunch& launch, UnresolvedInputs& unresolved,
               std::uint64_t max_instructions)
      : kernel_(kernel),
        launch_(launch),
        log_(kernel, AccessWidths(kernel.instructions.size(), 0), 0, max_instructions, Followed::control),
        run_(kernel, launch, log_, unresolved, RunWarps::first_and_last) {
    log_.keeps_warps = true;
  }

  WorkGroupSamples taken() {
    for (const std::uint64_t group : groups()) take(group);
    const Sample* busiest = &*std::find_if(samples_.begin(), samples_.end(),
                                           [&](const Sample& sample) { return sample.group == middle_of_grid(); });
    for (const Sample& sample : samples_)
      if (sample.instructions > busiest->instructions && (!is_at_an_end(sample) || is_at_an_end(*busiest)))
        busiest = &sample;
    result_.busiest = busiest->group;
    const Sample* different = nullptr;
    for (const Sample& sample : samples_) {
      const bool is_first = different == nullptr || (is_at_an_end(*different) && !is_at_an_end(sample));
      const bool is_least = different != nullptr && sample.instructions < different->instructions &&
                            is_at_an_end(*different) == is_at_an_end(sample);
      if (sample.instructions != busiest->instructions && (is_first || is_least)) different = &sample;
    }
    if (different == nullptr) return std::move(result_);
    if (is_at_an_end(*different) || is_within(different->instructions, busiest->instructions))
      note(*busiest, *different);
    else if (!are_trips_by_place(*busiest))
      note_or_refuse(*busiest, *different);
    return std::move(result_);
  }

 private:
  std::uint64_t middle_of_grid() const {
    const auto& grid = launch_.grid;
    return grid[0] / 2 + grid[0] * (grid[1] / 2 + grid[1] * (grid[2] / 2));
  }

  std::set<std::uint64_t> groups() const {
    std::set<std::uint64_t> numbers{middle_of_grid()};
    constexpr std::uint64_t steps = kSampledGroups - 2;
    const std::uint64_t last = launch_.groups() - 1;
    for (std::uint64_t i = 0; i <= steps; ++i) numbers.insert(last / steps * i + last % steps * i / steps);
    return numbers;
  }

  void take(std::uint64_t group) {
    std::fill(log_.executions.begin(), log_.executions.end(), 0);
    std::fill(log_.loops.begin(), log_.loops.end(), LoopCounts{});
    const std::uint64_t instructions = log_.instructions;
    run_.run(launch_.position_of(group));
    samples_.push_back({group, log_.executions, log_.loops, log_.instructions - instructions});
  }

  bool is_at_an_end(const Sample& sample) const { return sample.group == 0 || sample.group + 1 == launch_.groups(); }

  static std::string words_of(const Sample& sample) {
    return fmt::format("the first and the last warp of number {} execute {} instructions", sample.group,
                       sample.instructions);
  }

  void note(const Sample& busiest, const Sample& different) {
    result_.note = fmt::format(
        "ASSUMED: all work-groups do what number {} does, whose first and last warp execute {} instructions; those of "
        "number {} execute {}; of {} work-groups, {} were followed",
        busiest.group, busiest.instructions, different.group, different.instructions, launch_.groups(),
        samples_.size());
  }

  /// A few may differ by more than 2 %, as those at the borders of a grid do, if all together do not.
  void note_or_refuse(const Sample& busiest, const Sample& different) {
    result_.trips.clear();
    std::uint64_t executed = 0;
    std::uint64_t if_alike = 0;
    for (const Sample& sample : samples_) {
      if (is_at_an_end(sample)) continue;
      executed += sample.instructions;
      if_alike += busiest.instructions;
    }
    if (is_within(executed, if_alike)) return note(busiest, different);
    result_.reason = fmt::format(
        "its work-groups differ: {}, {}, and no trip count that follows from their place explains it; import those "
        "that do the same alone, by another --grid or --arg",
        words_of(busiest), words_of(different));
  }

  /// Finds expressions for all loops that differ. Returns true if they explain all that differs.
  bool are_trips_by_place(const Sample& busiest) {
    for (std::uint32_t loop = 0; loop < kernel_.flow.loops.size(); ++loop) {
      if (!differs(loop)) continue;
      auto found = expression_of(loop, busiest);
      if (!found) return false;
      result_.trips.emplace(loop, std::move(*found));
    }
    return !result_.trips.empty() && explains_blocks(busiest);
  }

  bool differs(std::uint32_t loop) const {
    const auto trips = trips_of(samples_.front(), loop);
    return std::any_of(samples_.begin(), samples_.end(),
                       [&](const Sample& sample) { return trips_of(sample, loop) != trips; });
  }

  /// Iterations of each entry; nothing: they differ from entry to entry.
  std::optional<std::int64_t> trips_of(const Sample& sample, std::uint32_t loop) const {
    const LoopCounts& counts = sample.loops[loop];
    if (counts.entries == 0) return 0;
    if (counts.iterations % counts.entries != 0) return std::nullopt;
    return static_cast<std::int64_t>(counts.iterations / counts.entries);
  }

  std::optional<TripsByGroup> expression_of(std::uint32_t loop, const Sample& busiest) const {
    using Place = std::pair<std::string_view, std::int64_t (*)(const GroupSampler&, std::uint64_t)>;
    static constexpr std::array<Place, 4> places{
        {{"group_x", [](const GroupSampler& sampler, std::uint64_t group) { return sampler.place(group, 0); }},
         {"group_y", [](const GroupSampler& sampler, std::uint64_t group) { return sampler.place(group, 1); }},
         {"group_z", [](const GroupSampler& sampler, std::uint64_t group) { return sampler.place(group, 2); }},
         {"group", [](const GroupSampler&, std::uint64_t group) { return static_cast<std::int64_t>(group); }}}};
    for (const auto& [name, value_of] : places) {
      TripSamples seen;
      bool is_function = true;
      for (const Sample& sample : samples_) {
        const auto trips = trips_of(sample, loop);
        if (!trips) return std::nullopt;
        const auto [at, is_new] = seen.emplace(value_of(*this, sample.group), *trips);
        is_function = is_function && (is_new || at->second == *trips);
      }
      constexpr std::size_t fewest = 3;
      if (!is_function || seen.size() < fewest) continue;
      if (const auto line = line_through(seen))
        return TripsByGroup{std::string(name), *line, value_of(*this, busiest.group)};
    }
    return std::nullopt;
  }

  std::int64_t place(std::uint64_t group, std::size_t dimension) const {
    return static_cast<std::int64_t>(launch_.position_of(group)[dimension]);
  }

  /// Returns true if blocks are executed equally often, or in a loop equally often for each of its iterations.
  bool explains_blocks(const Sample& busiest) const {
    for (std::uint32_t block = 0; block < kernel_.flow.blocks.size(); ++block) {
      const auto loop = kernel_.flow.blocks[block].loop;
      for (const Sample& sample : samples_) {
        if (is_at_an_end(sample)) continue;
        const auto iterations = [&](const Sample& counted) { return loop ? counted.loops[*loop].iterations : 1; };
        if (iterations(sample) == 0) continue;
        if (!is_within(sample.executions[block] * iterations(busiest), busiest.executions[block] * iterations(sample)))
          return false;
      }
    }
    return true;
  }

  const PreparedKernel& kernel_;
  const PtxLaunch& launch_;
  BlockLog log_;
  GroupRun run_;
  std::vector<Sample> samples_;
  WorkGroupSamples result_;
};

}  // namespace

WorkGroupSamples sample_groups(const PreparedKernel& kernel, const PtxLaunch& launch, UnresolvedInputs& unresolved,
                               std::uint64_t max_instructions) {
  return GroupSampler(kernel, launch, unresolved, max_instructions).taken();
}

}  // namespace gdsim
