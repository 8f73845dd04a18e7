#include <gdsim/model/lifecycle/copy_engines.hpp>

#include <gdsim/base/check.hpp>
#include <gdsim/host/host_costs.hpp>

namespace gdsim {

CopyEngines::CopyEngines(const std::optional<CopyRule>& rule, const std::vector<Launch>& launches, GpuQueue& queue)
    : rule_(rule), launches_(launches), queue_(queue) {
  const std::uint32_t engines = rule ? rule->engines : 0;
  if (engines == 1) free_ = {1};
  if (engines > 1) free_ = {engines - engines / 2, engines / 2};
  waiting_.resize(free_.size());
}

std::size_t CopyEngines::lane_of(LaunchId launch) const {
  if (free_.size() < 2) return 0;
  return launches_[index_of(launch)].as_copy().direction == CopyDirection::host_to_device ? 0 : 1;
}

void CopyEngines::begin_waiting() {
  for (std::size_t lane = 0; lane < free_.size(); ++lane)
    while (free_[lane] > 0 && !waiting_[lane].empty()) {
      const LaunchId launch = waiting_[lane].begin()->second;
      waiting_[lane].erase(waiting_[lane].begin());
      --waiting_count_;
      --free_[lane];
      const auto duration = duration_of(launches_[index_of(launch)].as_copy(), *rule_);
      GDSIM_CHECK(duration.has_value(), "a copy without a usable duration passed the checks of compile()");
      queue_.schedule(queue_.now() + *duration, Event::copy_ends(launch));
      begun_.push_back(launch);
    }
}

}  // namespace gdsim
