#include <gdsim/record/work_group_log.hpp>

namespace gdsim {

void WorkGroupLog::on_instant(const Instant& now) {
  for (const Fact& fact : now.facts) {
    auto& records = by_launch_[index_of(fact.launch)];
    const auto number = static_cast<std::size_t>(number_of(fact.work_group));
    if (fact.opens_group) {
      if (number >= records.size()) records.resize(number + 1);
      records[number] = {fact.core, fact.threads, now.time, {}, {}};
    }
    if (fact.opens_core && !fact.opens_group) more_cores_[{fact.launch, fact.work_group}].push_back(fact.core);
    if (fact.fills_group) records[number].fully_placed = now.time;
    if (fact.closes_group) records[number].ended = now.time;
  }
}

std::vector<CoreId> WorkGroupLog::more_cores_of(LaunchId launch, WorkGroupId group) const {
  const auto found = more_cores_.find({launch, group});
  return found == more_cores_.end() ? std::vector<CoreId>{} : found->second;
}

}  // namespace gdsim
