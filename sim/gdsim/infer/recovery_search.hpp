#pragma once

#include <gdsim/base/in_order.hpp>
#include <gdsim/infer/rule_space.hpp>

#include <cstdint>
#include <vector>

namespace gdsim {

/// The recovery with which rules explain a log best, in units of LoggedGroup::start, and the range around it in which
/// they explain the log equally well. It is the shortest number in the range.
struct FoundRecovery {
  std::int64_t recovery = 0;
  std::int64_t low = 0;
  std::int64_t high = 0;
};

/// Searches for the recovery if no slot shows it: if the dispatcher is slower than work-groups end, free slots wait for
/// it, and the minimum time until one is reused is no evidence. Each choice of cores that explains the first wave of a
/// log is tried with many recoveries, and scored by the number of decisions for which it agrees with the log. Returns
/// the best recoveries of the best choices, at most three; empty for a log without times or ends. The result does not
/// depend on the number of jobs.
std::vector<FoundRecovery> search_recoveries(const RuleSpace& space, Jobs jobs);

}  // namespace gdsim
