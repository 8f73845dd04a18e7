#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace gdsim {

/// The outcome of a point of a study.
enum class PointStatus : std::uint8_t { ok, deadlocked, refused, interrupted };

/// Returns the word of tables: `ok`, `deadlocked`, `refused` or `interrupted`.
std::string_view name_of(PointStatus status);

/// The result of one point. Percentages and waves are in ten-thousandths, rounded, halves away from zero, as in a
/// table. All members but the reason are empty unless the status is ok.
struct PointResult {
  PointStatus status = PointStatus::ok;
  std::optional<std::int64_t> duration;        ///< picoseconds
  std::optional<std::int64_t> peak_occupancy;  ///< of the device's contexts
  std::optional<std::int64_t> mean_occupancy;  ///< over the duration
  std::optional<std::int64_t> fit_occupancy;   ///< of a core's contexts, with the maximum of work-groups
  std::string limiter;                         ///< the resources that prevent more of them: `slm`, `threads+registers`
  std::optional<std::int64_t> work_groups_per_core;  ///< maximum that fits
  std::optional<std::int64_t> waves;                 ///< work-groups of the launch / those that fit on the device
  std::string reason;                                ///< why the status is not ok
};

}  // namespace gdsim
