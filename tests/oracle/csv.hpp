#pragma once

#include "oracle/phases.hpp"
#include "oracle/recording.hpp"

#include <string>
#include <vector>

// The tables as text, column by column.

namespace gdsim::oracle {

/// Nanoseconds with three decimals.
std::string nanoseconds(Time picoseconds);
/// The quotient with four decimals, halves up.
std::string fraction(Int128 numerator, Int128 denominator);
std::string percent(std::uint64_t part, std::uint64_t whole);

std::string timeline_csv(const World& world, const std::vector<DeviceRow>& rows);
std::string cores_csv(const World& world, const std::vector<PartRow>& rows);
std::string phases_csv(const World& world, const std::vector<PhaseRow>& rows);
std::string work_groups_csv(const World& world);
/// `rows`: the launches over time.
std::string launches_csv(const World& world, const std::vector<PartRow>& rows);
std::string kernels_csv(const World& world, const std::vector<PartRow>& rows);

}  // namespace gdsim::oracle
