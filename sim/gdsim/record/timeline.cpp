#include <gdsim/record/timeline.hpp>

namespace gdsim {

ResidentTimeline resident_of(const Timeline& timeline, SimTime end) {
  if (timeline.empty()) return {};
  ResidentTimeline resident{{}, end};
  for (const TimelinePoint& point : timeline) resident.points.push_back({point.time, point.counts.resident.threads});
  return resident;
}

}  // namespace gdsim
