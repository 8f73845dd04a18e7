#pragma once

#include <gdsim/import/profiles/profile.hpp>

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace gdsim {

/// A metric of Nsight Compute as it was printed.
struct NcuMetric {
  std::string value;
  std::string unit;
};

/// What Nsight Compute says of one launch, whatever it was printed as.
struct NcuLaunch {
  std::string name;
  std::string stream;
  std::string device;
  std::string capability;  ///< `8.6`
  std::string grid;        ///< `(64, 64, 1)`; empty: only as metrics
  std::string block;
  /// By their names of the raw page (`launch__registers_per_thread`) or of the details page (`Registers Per Thread`).
  std::map<std::string, NcuMetric, std::less<>> metrics;
  std::uint64_t place = 0;
};

/// Names on the details page of the metrics that add_ncu_launch() looks at.
bool is_ncu_metric(std::string_view name);

/// Adds the launch to a profile. Its duration is measured, its start is not. Throws InputError if a number that is
/// needed cannot be read; one that Nsight Compute could not measure (`n/a`, `nan`) is not there.
void add_ncu_launch(Profile& profile, const NcuLaunch& launch);

}  // namespace gdsim
