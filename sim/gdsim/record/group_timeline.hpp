#pragma once

#include <gdsim/record/group_watch.hpp>

#include <limits>
#include <vector>

namespace gdsim {

/// A change of a work-group on a core, with its time.
struct GroupPoint {
  SimTime time;
  GroupChange change;
};

/// Records every change of every work-group, in order. It is empty if a run has more than `max` changes.
class GroupTimeline : public GroupWatch {
 public:
  explicit GroupTimeline(std::size_t max = std::numeric_limits<std::size_t>::max()) : max_(max) {}

  const std::vector<GroupPoint>& points() const { return points_; }

 protected:
  void on_changed(SimTime time, std::span<const GroupChange> changes) override;

 private:
  std::size_t max_;
  bool is_given_up_ = false;
  std::vector<GroupPoint> points_;
};

}  // namespace gdsim
