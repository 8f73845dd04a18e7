#include <gdsim/record/resident_timeline.hpp>

namespace gdsim {

ResidentTimeline resident_of(const Timeline& timeline) {
  ResidentTimeline resident;
  for (const auto& [time, counts] : timeline) {
    if (resident.points.empty() || resident.points.back().threads != counts.resident.threads)
      resident.points.push_back({time, counts.resident.threads});
    resident.end = time;
  }
  return resident;
}

}  // namespace gdsim
