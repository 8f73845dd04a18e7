#include <gdsim/run/execution.hpp>

#include <algorithm>
#include <tuple>

// What an execution is in the middle of: asked when a run is over, but not done.

namespace gdsim {

std::vector<GroupIndex> Execution::active_groups() const {
  std::vector<GroupIndex> active;
  std::uint32_t index = 0;
  for (const ActiveGroup& group : groups_) {
    if (group.threads > 0) active.push_back(GroupIndex{index});
    ++index;
  }
  std::sort(active.begin(), active.end(), [this](GroupIndex a, GroupIndex b) {
    return std::tie(groups_[a].launch, groups_[a].number) < std::tie(groups_[b].launch, groups_[b].number);
  });
  return active;
}

std::span<const CoreId> Execution::more_cores(GroupIndex group) const {
  const auto index = static_cast<std::size_t>(group);
  return index < more_cores_.size() ? std::span<const CoreId>(more_cores_[index]) : std::span<const CoreId>();
}

std::vector<CoreTimeUse> Execution::take_time_use(Picoseconds now) {
  std::vector<std::int64_t> executing(cohorts_.size(), 0);
  std::vector<MemoryLimit> limits(cohorts_.size(), 0);
  for (const auto& [cohort, left] : contention_.work_left(now))
    executing[static_cast<std::size_t>(cohort)] = amount(cohorts_[cohort]) - left;
  for (const auto& [cohort, served, limit] : contention_.memory_served(now)) {
    executing[static_cast<std::size_t>(cohort)] = served;
    limits[static_cast<std::size_t>(cohort)] = limit;
  }
  for (std::size_t i = 0; i < cohorts_.size(); ++i) {
    const Cohort& cohort = cohorts_[static_cast<CohortIndex>(i)];
    if (cohort.part.threads == 0) continue;
    const ActiveGroup& group = groups_[cohort.group];
    const OpKind kind = plan_of(group).op(cohort.at).kind;
    const std::int64_t all = (now - cohort.since).count;
    if (kind == OpKind::barrier || kind == OpKind::wait || kind == OpKind::launch) {
      const TimeKind waited = kind == OpKind::launch ? TimeKind::child : TimeKind::barrier;
      ledger_.book(cohort.part.core, group.kernel, waited, cohort.part.threads, all);
      log_wait(cohort.since, all, cohort.part.threads, column_of(waited));
    } else if (kind == OpKind::loop_end) {
      account_rounds(cohort, Picoseconds{all});
    } else {
      account_work(cohort, kind == OpKind::compute ? all : executing[i], limits[i]);
    }
  }
  return ledger_.uses();
}

std::vector<Cohort> Execution::waiting(GroupIndex group, std::uint32_t meeting) const {
  std::vector<Cohort> all;
  for (CohortIndex at = meetings_.of(group, meeting).waiting; at != kNoCohort; at = cohorts_[at].next)
    all.push_back(cohorts_[at]);
  std::sort(all.begin(), all.end(), [](const Cohort& a, const Cohort& b) {
    return std::tie(a.at, a.rounds, a.phase, a.part.threads) < std::tie(b.at, b.rounds, b.phase, b.part.threads);
  });
  return all;
}

}  // namespace gdsim
