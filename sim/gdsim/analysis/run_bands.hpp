#pragma once

#include <gdsim/base/quantity.hpp>
#include <gdsim/record/phase_shapes.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace gdsim {

/// Occupancy of all runs of a scenario in one interval of time: a row of `bands.csv`.
struct BandRow {
  /// Percent of all contexts, in the order of kBandColumns, in 1/10000 of a percentage point: as files write them.
  static constexpr std::uint64_t kPerPercent = 10'000;
  enum Column : std::size_t { mean, min, p5, p50, p95, max, columns };

  SimTime begin;
  SimTime end;
  std::array<std::uint64_t, columns> percent{};
};

/// By BandRow::Column: the columns of `bands.csv` after its times.
inline constexpr std::array<std::string_view, BandRow::columns> kBandColumns{
    "mean_percent", "min_percent", "p5_percent", "p50_percent", "p95_percent", "max_percent"};

/// Returns the rows of all bands; empty if no run was finished.
std::vector<BandRow> band_rows(const Repetitions& repetitions);

}  // namespace gdsim
