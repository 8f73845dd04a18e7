#include <gdsim/import/ptx/group_run.hpp>

#include <gdsim/import/ptx/warp_run.hpp>

#include <algorithm>
#include <vector>

namespace gdsim {

void run_group(const PreparedKernel& kernel, const PtxLaunch& launch, const std::array<std::uint64_t, 3>& group,
               BlockLog& log, UnresolvedInputs& unresolved, std::uint64_t max_rounds) {
  using State = WarpRun::State;
  log.begin_group();
  std::vector<WarpRun> warps;
  for (std::uint64_t warp = 0; warp < launch.warps(); ++warp)
    warps.emplace_back(kernel, launch, group, warp, log, unresolved);
  std::vector<State> states(warps.size(), State::ready);
  for (std::uint64_t round = 0; round < max_rounds; ++round) {
    bool has_moved = false;
    for (std::size_t i = 0; i < warps.size(); ++i) {
      if (states[i] != State::ready) continue;
      log.begin_warp(i);
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
