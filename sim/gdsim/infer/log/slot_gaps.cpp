#include <gdsim/infer/log/slot_gaps.hpp>

#include <gdsim/fit/core.hpp>

#include <algorithm>
#include <queue>

namespace gdsim {
namespace {

struct OfCore {
  std::uint64_t never_used = 0;
  std::priority_queue<std::int64_t, std::vector<std::int64_t>, std::greater<>> ends;  ///< of those that hold a slot
  std::queue<std::int64_t> free_since;
};

void add_gaps(const LogSession& session, std::uint64_t slots, std::vector<std::int64_t>& gaps) {
  std::vector<const LoggedGroup*> groups;
  for (const LoggedLaunch& launch : session.launches)
    for (const LoggedGroup& group : launch.groups) groups.push_back(&group);
  std::stable_sort(groups.begin(), groups.end(),
                   [](const LoggedGroup* a, const LoggedGroup* b) { return a->start < b->start; });
  std::vector<OfCore> cores(session.cores);
  for (OfCore& core : cores) core.never_used = slots;
  for (const LoggedGroup* group : groups) {
    OfCore& core = cores[group->core];
    for (; !core.ends.empty() && core.ends.top() <= group->start; core.ends.pop())
      core.free_since.push(core.ends.top());
    if (core.never_used > 0) {
      --core.never_used;
    } else if (!core.free_since.empty()) {
      gaps.push_back(group->start - core.free_since.front());
      core.free_since.pop();
    } else {
      continue;  // more than there are slots: no evidence
    }
    core.ends.push(group->end);
  }
}

}  // namespace

std::vector<std::int64_t> slot_gaps(const PlacementLog& log, const std::vector<LogFootprints>& footprints) {
  std::vector<std::int64_t> gaps;
  if (log.time == LogTime::none) return gaps;
  for (std::size_t i = 0; i < log.sessions.size(); ++i) {
    const auto& needs = footprints[i].of_launch;
    const bool are_equal =
        std::all_of(needs.begin(), needs.end(), [&](const Footprint& one) { return one == needs.front(); });
    if (are_equal) add_gaps(log.sessions[i], how_many_fit(needs.front(), Amounts{}), gaps);
  }
  std::sort(gaps.begin(), gaps.end());
  return gaps;
}

}  // namespace gdsim
