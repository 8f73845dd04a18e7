#include <gdsim/record/phases.hpp>

namespace gdsim {

std::string_view name_of(PhaseShape kind) {
  switch (kind) {
    case PhaseShape::constant: return "constant";
    case PhaseShape::band: return "band";
    case PhaseShape::ramp: return "ramp";
    case PhaseShape::tail: return "tail";
  }
  return {};
}

Ratio Phase::occupancy_percent(std::uint64_t contexts) const {
  if (contexts == 0 || (kind != PhaseShape::constant && duration().count == 0)) return {};
  if (kind == PhaseShape::constant) return {UInt128{resident} * 100, contexts};
  return {static_cast<UInt128>(resident_time) * 100, UInt128{contexts} * static_cast<std::uint64_t>(duration().count)};
}

bool PhaseRules::is_shorter(Duration duration, Duration whole, std::int64_t times) const {
  if (min_phase.time) return duration.count < Int128{min_phase.time->count} * times;
  // Below 2^127: both parts of the share are below 2^58, `times` is below 32.
  return Int128{duration.count} * static_cast<std::int64_t>(min_phase.share_of_run.denominator) <
         Int128{whole.count} * static_cast<std::int64_t>(min_phase.share_of_run.numerator) * times;
}

bool PhaseRules::is_in_band(std::uint64_t difference) const {
  // Both parts of the share are below 2^64.
  return UInt128{difference} * static_cast<std::uint64_t>(band.denominator) <=
         UInt128{contexts} * static_cast<std::uint64_t>(band.numerator);
}

}  // namespace gdsim
