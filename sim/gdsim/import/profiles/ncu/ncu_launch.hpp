#pragma once

#include <gdsim/import/profiles/profile.hpp>

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace gdsim {

/// A metric as Nsight Compute printed it.
struct NcuMetric {
  std::string value;
  std::string unit;
};

/// Nsight Compute's data on one launch, from any of its formats.
struct NcuLaunch {
  std::string name;
  std::string stream;
  std::string device;
  std::string capability;  ///< `8.6`
  std::string grid;        ///< `(64, 64, 1)`; empty: only as metrics
  std::string block;
  /// By names of the raw page (`launch__registers_per_thread`) or of the details page (`Registers Per Thread`).
  std::map<std::string, NcuMetric, std::less<>> metrics;
  std::uint64_t place = 0;
};

/// Returns true if add_ncu_launch() reads the metric of this name on the details page.
bool is_ncu_metric(std::string_view name);

/// Adds the launch to a profile. It has a measured duration but no start. Throws InputError if a required number cannot
/// be read. A number that Nsight Compute could not measure (`n/a`, `nan`) counts as missing.
void add_ncu_launch(Profile& profile, const NcuLaunch& launch);

}  // namespace gdsim
