#include <gdsim/import/ptx/warp_run.hpp>

#include <algorithm>
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

}  // namespace gdsim
