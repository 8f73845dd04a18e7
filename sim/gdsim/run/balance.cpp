#include <gdsim/run/balance.hpp>

#include <gdsim/base/check.hpp>
#include <gdsim/model/lifecycle/end_of_work.hpp>

#include <cstddef>
#include <numeric>
#include <string>

namespace gdsim {

void add_held(const ModelState& state, SimTime end, std::vector<Int128>& held) {
  const std::vector<Core>& cores = state.bank.cores;
  held.resize(cores.size(), 0);
  for (std::size_t core = 0; core < cores.size(); ++core) held[core] += cores[core].context_time(end);
}

void require_conservation(Int128 timeline, std::span<const Int128> held) {
  const Int128 all = std::accumulate(held.begin(), held.end(), Int128{0});
  GDSIM_CHECK(timeline == all, "conservation is violated: the timeline holds " + to_text(timeline) +
                                   " thread-picoseconds, the cores counted " + to_text(all));
}

void require_time_accounted(std::span<const CoreTimeUse> uses, std::span<const Int128> held) {
  auto next = uses.begin();
  for (std::size_t core = 0; core < held.size(); ++core) {
    Int128 sum = 0;
    for (; next != uses.end() && index_of(next->core) == core; ++next) sum += next->use.sum();
    GDSIM_CHECK(sum == held[core], "of core " + std::to_string(core) + "'s time, " + to_text(sum) +
                                       " thread-picoseconds are accounted for, " + to_text(held[core]) + " were spent");
  }
}

void require_empty(ModelState& state) {
  end_recoveries(state, kEndOfTime);
  for (const Core& core : state.bank.cores) GDSIM_CHECK(core.is_empty(), "a core holds something after the last end");
}

}  // namespace gdsim
