#include <gdsim/run/joint_ends.hpp>

#include <algorithm>
#include <tuple>

namespace gdsim {

JointEnds::JointEnds(const RunRecord& record, std::span<const std::vector<LaunchId>> groups) {
  if (groups.empty()) return;
  numbers_.resize(record.launches.size(), kAlone);
  for (const std::vector<LaunchId>& group : groups) {
    JointEnd end{group, group.front(), joined_at(record, group.front()),
                 *record.launches[index_of(group.front())].ended};
    for (const LaunchId launch : group) {
      numbers_[index_of(launch)] = static_cast<std::uint32_t>(ends_.size());
      end.ended = std::min(end.ended, *record.launches[index_of(launch)].ended);
      if (joined_at(record, launch) <= end.joined) continue;
      end.last = launch;
      end.joined = joined_at(record, launch);
    }
    ends_.push_back(std::move(end));
  }
}

std::vector<Milestone> JointEnds::order(const std::vector<Milestone>& milestones, const RunRecord& record) const {
  struct Place {
    SimTime time;
    std::size_t lead = 0;  ///< of the first of those that stand together
    std::size_t own = 0;
  };
  std::vector<std::size_t> first_of_group(ends_.size(), milestones.size());
  std::vector<Place> places(milestones.size());
  for (std::size_t i = 0; i < milestones.size(); ++i) {
    const LaunchId launch = milestones[i].launch;
    const LaunchRecord& own = record.launches[index_of(launch)];
    switch (milestones[i].kind) {
      case Milestone::Kind::submitted: places[i] = {own.submitted.value_or(*own.ready), i, i}; break;
      case Milestone::Kind::begun: places[i] = {own.begun.value_or(*own.ready), i, i}; break;
      case Milestone::Kind::ended:
        places[i] = {*own.ended, i, i};
        if (const std::uint32_t group = number_of(launch); group != kAlone) {
          first_of_group[group] = std::min(first_of_group[group], i);
          places[i] = {ends_[group].ended, first_of_group[group], i};
        }
        break;
    }
  }
  std::sort(places.begin(), places.end(), [](const Place& a, const Place& b) {
    return std::tie(a.time, a.lead, a.own) < std::tie(b.time, b.lead, b.own);
  });
  std::vector<Milestone> ordered;
  ordered.reserve(milestones.size());
  for (const Place& place : places) ordered.push_back(milestones[place.own]);
  return ordered;
}

}  // namespace gdsim
