#include <gdsim/import/ptx/group_translation.hpp>
#include <gdsim/import/ptx/warp_run.hpp>
#include <gdsim/workload/program.hpp>

#include <algorithm>
#include <list>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace gdsim {

GroupRun::GroupRun(const PreparedKernel& kernel, const PtxLaunch& launch, BlockLog& log, UnresolvedInputs& unresolved,
                   RunWarps warps)
    : log_(log) {
  for (std::uint64_t warp = 0; warp < launch.warps(); ++warp)
    if (warps == RunWarps::all || warp == 0 || warp + 1 == launch.warps()) numbers_.push_back(warp);
  warps_.reserve(numbers_.size());
  for (const std::uint64_t warp : numbers_) warps_.emplace_back(kernel, launch, warp, log, unresolved);
}

void GroupRun::run(const std::array<std::uint64_t, 3>& group, std::uint64_t max_instructions,
                   GroupTranslation* translation) {
  using State = WarpRun::State;
  log_.begin_group();
  const std::uint64_t before = log_.instructions;
  for (WarpRun& warp : warps_) warp.begin(group, translation);
  std::vector<State> states(warps_.size(), State::ready);
  while (log_.instructions - before < max_instructions) {
    bool has_moved = false;
    for (std::size_t i = 0; i < warps_.size(); ++i) {
      if (states[i] != State::ready) continue;
      log_.begin_warp(numbers_[i]);
      states[i] = warps_[i].run_block();
      has_moved = true;
    }
    if (has_moved) continue;
    if (std::find(states.begin(), states.end(), State::at_barrier) == states.end()) return;
    std::replace(states.begin(), states.end(), State::at_barrier, State::ready);
  }
}

std::vector<WarpClass<ExecutionCounts>> warp_classes(const KernelProfile& profile) {
  return classes_by(profile.log->by_warp, [&](const ExecutionCounts& counts) {
    std::vector<std::uint64_t> key = counts.executions;
    for (const LoopCounts& loop : counts.loops) key.insert(key.end(), {loop.entries, loop.iterations});
    for (std::size_t i = 0; i < counts.accesses.size(); ++i) {
      key.push_back(counts.accesses[i].requests);
      if (profile.kernel->instructions[i].traits.role == PtxRole::atomic) key.push_back(counts.accesses[i].lanes);
    }
    return key;
  });
}

namespace {

/// Distinct sectors of a work-group, by pointer.
using SectorsByPointer = std::map<std::uint64_t, std::vector<std::uint64_t>>;

/// An executed work-group, which may stand for others.
struct Representative {
  GroupTranslation translation;
  std::uint64_t count = 0;  ///< sectors that it loads from L2
  std::uint64_t gathered = 0;
  std::uint64_t distinct = 0;
  SectorsByPointer sectors{};
  std::map<std::uint64_t, std::set<std::int64_t>> added{};  ///< by pointer: distances at which they were added
};

/// One call of follow_groups().
class WaveFollower {
 public:
  WaveFollower(const PreparedKernel& kernel, const PtxLaunch& launch, std::uint64_t max_instructions, BlockLog& log,
               UnresolvedInputs& unresolved)
      : kernel_(kernel),
        launch_(launch),
        max_instructions_(max_instructions),
        log_(log),
        run_(kernel, launch, log, unresolved) {}

  std::uint64_t execute_all(std::uint64_t first, std::uint64_t groups) {
    for (std::uint64_t group = first; group < first + groups; ++group)
      run_.run(launch_.position_of(group), max_instructions_);
    return groups;
  }

  /// Nothing if it does not find the counts, of which the log may then have a part.
  std::optional<std::uint64_t> execute_representatives(std::uint64_t first, std::uint64_t groups) {
    const auto slopes = group_slopes(kernel_, log_.slice(), launch_);
    if (!slopes) return std::nullopt;
    for (std::uint64_t group = first; group < first + groups; ++group) {
      const GroupTranslation::Place place = launch_.position_of(group);
      Representative& representative = representative_of(place, *slopes);
      if (loads_.distinct.size() + representative.distinct >= BlockLog::kMaxKept) return std::nullopt;
      add(representative, place);
    }
    log_.loaded_from_l2 = std::move(loads_);
    log_.gathered_loads = gathered_;
    return executed_.size();
  }

 private:
  Representative& representative_of(const GroupTranslation::Place& place, const GroupSlopes& slopes) {
    for (Representative& known : executed_)
      if (known.translation.stands_for(place)) return known;
    Representative executed{GroupTranslation(kernel_, slopes, place)};
    log_.loaded_from_l2 = {};
    log_.gathered_loads = 0;
    run_.run(place, max_instructions_, &executed.translation);
    executed.count = log_.loaded_from_l2.count;
    executed.gathered = log_.gathered_loads;
    executed.distinct = log_.loaded_from_l2.distinct.size();
    log_.loaded_from_l2.distinct.for_each(
        [&](std::uint64_t sector) { executed.sectors[sector * kSectorBytes >> kPointerBits].push_back(sector); });
    return executed_.emplace_back(std::move(executed));
  }

  void add(Representative& representative, const GroupTranslation::Place& place) {
    loads_.count += representative.count;
    gathered_ += representative.gathered;
    for (const auto& [pointer, sectors] : representative.sectors) {
      const std::int64_t distance = representative.translation.sectors_to(place, pointer);
      if (!representative.added[pointer].insert(distance).second) continue;
      bool is_new = false;
      for (const std::uint64_t sector : sectors)
        loads_.distinct.put(sector + static_cast<std::uint64_t>(distance), 0, is_new);
    }
  }

  const PreparedKernel& kernel_;
  const PtxLaunch& launch_;
  std::uint64_t max_instructions_;
  BlockLog& log_;
  GroupRun run_;
  std::list<Representative> executed_;
  BlockLog::KeptSectors loads_;
  std::uint64_t gathered_ = 0;
};

}  // namespace

std::uint64_t follow_groups(const PreparedKernel& kernel, const PtxLaunch& launch, std::uint64_t first,
                            std::uint64_t groups, std::uint64_t max_instructions, WaveExecution execution,
                            BlockLog& log, UnresolvedInputs& unresolved) {
  WaveFollower follower(kernel, launch, max_instructions, log, unresolved);
  if (execution == WaveExecution::representative)
    if (const auto executed = follower.execute_representatives(first, groups)) return *executed;
  log.loaded_from_l2 = {};
  log.gathered_loads = 0;
  return follower.execute_all(first, groups);
}

}  // namespace gdsim
