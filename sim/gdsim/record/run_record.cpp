#include <gdsim/record/run_record.hpp>

namespace gdsim {

Ratio RunRecord::peak_occupancy() const { return {UInt128{peak_resident} * 100, contexts_total}; }

Ratio RunRecord::mean_occupancy() const {
  if (duration().count == 0) return {};
  return {static_cast<UInt128>(resident_time) * 100,
          UInt128{contexts_total} * static_cast<std::uint64_t>(duration().count)};
}

}  // namespace gdsim
