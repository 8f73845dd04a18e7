#pragma once

#include <gdsim/base/quantity.hpp>
#include <gdsim/record/phase_shapes.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace gdsim {

/// Occupancy of all runs of a scenario in one interval of time: a row of `bands.csv`.
struct BandRow {
  /// Percent of all contexts, by Column, in 1/10000 of a percentage point: as files write them.
  static constexpr std::uint64_t kPerPercent = 10'000;
  enum Column : std::size_t { mean, min, p5, p50, p95, max, columns };

  SimTime begin;
  SimTime end;
  std::array<std::uint64_t, columns> percent{};
};

/// Returns the rows of all bands; empty if no run was finished.
std::vector<BandRow> band_rows(const Repetitions& repetitions);

}  // namespace gdsim
