#include <gdsim/import/ptx/warp_run.hpp>

#include <algorithm>
#include <vector>

namespace gdsim {

void run_group(const PreparedKernel& kernel, const PtxLaunch& launch, const std::array<std::uint64_t, 3>& group,
               BlockLog& log, UnresolvedInputs& unresolved, const RunExtent& extent) {
  using State = WarpRun::State;
  log.begin_group();
  const std::uint64_t before = log.instructions;
  std::vector<WarpRun> warps;
  std::vector<std::uint64_t> numbers;
  for (std::uint64_t warp = 0; warp < launch.warps(); ++warp) {
    if (extent.warps == RunWarps::first_and_last && warp != 0 && warp + 1 != launch.warps()) continue;
    warps.emplace_back(kernel, launch, group, warp, log, unresolved);
    numbers.push_back(warp);
  }
  std::vector<State> states(warps.size(), State::ready);
  while (log.instructions - before < extent.max_instructions) {
    bool has_moved = false;
    for (std::size_t i = 0; i < warps.size(); ++i) {
      if (states[i] != State::ready) continue;
      log.begin_warp(numbers[i]);
      states[i] = warps[i].run_block();
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

}  // namespace gdsim
