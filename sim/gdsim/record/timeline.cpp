#include <gdsim/record/timeline.hpp>

#include <gdsim/record/recorded_points.hpp>

#include <algorithm>
#include <iterator>

namespace gdsim {

const ChangePointLoop* detail::loop_at(std::span<const ChangePointLoop> loops, std::uint64_t index) {
  const auto after = std::upper_bound(loops.begin(), loops.end(), index,
                                      [](std::uint64_t i, const ChangePointLoop& loop) { return i < loop.first; });
  return after == loops.begin() ? nullptr : &*std::prev(after);
}

ResidentTimeline resident_of(const Timeline& timeline, SimTime end) {
  if (timeline.empty()) return {};
  return {map_points<ResidentPoint>(timeline.view(),
                                    [](const TimelinePoint& point) {
                                      return ResidentPoint{point.time, point.counts.resident.threads};
                                    }),
          end};
}

}  // namespace gdsim
