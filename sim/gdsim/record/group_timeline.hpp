#pragma once

#include <gdsim/record/group_watch.hpp>

#include <vector>

namespace gdsim {

/// A change of a work-group on a core, and when.
struct GroupPoint {
  Picoseconds time;
  GroupChange change;
};

/// Keeps every change of every work-group, in order.
class GroupTimeline : public GroupWatch {
 public:
  const std::vector<GroupPoint>& points() const { return points_; }

 protected:
  void changed(Picoseconds time, std::span<const GroupChange> changes) override {
    for (const GroupChange& change : changes) points_.push_back({time, change});
  }

 private:
  std::vector<GroupPoint> points_;
};

}  // namespace gdsim
