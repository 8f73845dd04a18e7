#include <gdsim/record/run_record.hpp>

namespace gdsim {

std::uint64_t RunRecord::work_groups_dispatched() const {
  std::uint64_t sum = 0;
  for (const LaunchRecord& launch : launches) sum += launch.groups_dispatched;
  return sum;
}

std::uint64_t RunRecord::work_groups_ended() const {
  std::uint64_t sum = 0;
  for (const LaunchRecord& launch : launches) sum += launch.groups_ended;
  return sum;
}

Ratio RunRecord::peak_occupancy() const { return {UInt128{peak_resident} * 100, contexts_total}; }

Ratio RunRecord::mean_occupancy() const {
  if (duration().count == 0) return {};
  return {static_cast<UInt128>(resident_time) * 100,
          UInt128{contexts_total} * static_cast<std::uint64_t>(duration().count)};
}

}  // namespace gdsim
