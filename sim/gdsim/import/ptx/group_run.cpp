#include <gdsim/import/ptx/warp_run.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <map>
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

std::array<std::uint64_t, 3> position_of(const PtxLaunch& launch, std::uint64_t group) {
  return {group % launch.grid[0], group / launch.grid[0] % launch.grid[1], group / launch.grid[0] / launch.grid[1]};
}

namespace {

/// The counts in which warps of different classes differ.
std::vector<std::uint64_t> key_of(const PreparedKernel& kernel, const ExecutionCounts& counts) {
  std::vector<std::uint64_t> key = counts.executions;
  for (const LoopCounts& loop : counts.loops) key.insert(key.end(), {loop.entries, loop.iterations});
  for (std::size_t i = 0; i < counts.accesses.size(); ++i) {
    key.push_back(counts.accesses[i].requests);
    if (kernel.instructions[i].traits.role == PtxRole::atomic) key.push_back(counts.accesses[i].lanes);
  }
  return key;
}

}  // namespace

std::vector<WarpClass> warp_classes(const KernelProfile& profile) {
  std::vector<WarpClass> classes;
  std::map<std::vector<std::uint64_t>, std::size_t> known;
  for (std::uint32_t warp = 0; warp < profile.log->by_warp.size(); ++warp) {
    const ExecutionCounts& counts = profile.log->by_warp[warp];
    const auto [at, is_new] = known.try_emplace(key_of(*profile.kernel, counts), classes.size());
    if (is_new) classes.push_back({ExecutionCounts(*profile.kernel), {}});
    classes[at->second].counts.add(counts);
    classes[at->second].warps.push_back(warp);
  }
  return classes;
}

YamlValue ranges_of(std::vector<std::uint32_t> warps) {
  std::sort(warps.begin(), warps.end());
  std::vector<YamlValue> ranges;
  for (std::size_t i = 0; i < warps.size();) {
    std::size_t last = i;
    while (last + 1 < warps.size() && warps[last + 1] == warps[last] + 1) ++last;
    ranges.push_back(
        YamlValue::word(i == last ? std::to_string(warps[i]) : fmt::format("{}-{}", warps[i], warps[last])));
    i = last + 1;
  }
  if (ranges.size() == 1) return ranges.front();
  return YamlValue::list_in_line(std::move(ranges));
}

}  // namespace gdsim
