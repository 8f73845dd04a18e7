#include <gdsim/record/phase_profile.hpp>

#include <algorithm>

namespace gdsim {

ProfileItem::ProfileItem(const OpenInterval& interval, SimTime interval_end)
    : begin(interval.begin),
      end(interval_end),
      resident_time(interval.resident_time(interval_end)),
      running_time(interval.running_time),
      cores_busy(interval.cores_busy),
      min_resident(interval.resident),
      max_resident(interval.resident),
      first(interval.resident),
      last(interval.resident),
      intervals(1),
      jumps(interval.is_jump ? 1 : 0) {}

void ProfileItem::append(const ProfileItem& next) {
  risen += next.risen + (next.first > last ? next.first - last : 0);
  fallen += next.fallen + (next.first < last ? last - next.first : 0);
  last = next.last;
  end = next.end;
  resident_time += next.resident_time;
  running_time += next.running_time;
  cores_busy = std::max(cores_busy, next.cores_busy);
  min_resident = std::min(min_resident, next.min_resident);
  max_resident = std::max(max_resident, next.max_resident);
  intervals += next.intervals;
  jumps += next.jumps;
  is_long = false;
}

}  // namespace gdsim
