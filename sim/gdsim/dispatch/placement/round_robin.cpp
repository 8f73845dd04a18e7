#include <gdsim/dispatch/placement/round_robin.hpp>

namespace gdsim {

std::optional<std::size_t> RoundRobin::choose(const IndexSet& offered) {
  auto core = offered.next(cursor_);
  if (!core) core = offered.next(0);
  cursor_ = (*core + 1) % offered.size();
  return core;
}

}  // namespace gdsim
