#include <gdsim/record/group_timeline.hpp>

namespace gdsim {

void GroupTimeline::on_changed(SimTime time, std::span<const GroupChange> changes) {
  if (is_given_up_) return;
  if (points_.size() + changes.size() > max_) {
    is_given_up_ = true;
    points_ = {};
    return;
  }
  for (const GroupChange& change : changes) points_.push_back({time, change});
}

}  // namespace gdsim
