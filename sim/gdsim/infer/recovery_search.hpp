#pragma once

#include <gdsim/base/in_order.hpp>
#include <gdsim/infer/rule_space.hpp>

#include <cstdint>
#include <vector>

namespace gdsim {

/// A recovery with which rules explain a log best, in units of LoggedGroup::start, and the recoveries around it that
/// explain the log as well: the shortest number among them is taken.
struct FoundRecovery {
  std::int64_t recovery = 0;
  std::int64_t low = 0;
  std::int64_t high = 0;
};

/// Searches for the recovery where no slot shows it: where the dispatcher is slower than work-groups end, free slots
/// wait for it, and the shortest time until one is reused says nothing. Of the choices of cores that explain the first
/// wave of a log, each is tried with many recoveries, by how many decisions it makes as the log has them. The best
/// recoveries of the best choices, at most three; none of a log without times or ends. The same with any number of
/// jobs.
std::vector<FoundRecovery> search_recoveries(const RuleSpace& space, Jobs jobs);

}  // namespace gdsim
