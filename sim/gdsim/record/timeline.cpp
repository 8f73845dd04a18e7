#include <gdsim/record/timeline.hpp>

namespace gdsim {

ResidentTimeline resident_of(const Timeline& timeline, SimTime end) {
  if (timeline.empty()) return {};
  return {map_points<ResidentPoint>(timeline.view(),
                                    [](const TimelinePoint& point) {
                                      return ResidentPoint{point.time, point.counts.resident.threads};
                                    }),
          end};
}

}  // namespace gdsim
