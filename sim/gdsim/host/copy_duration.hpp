#pragma once

#include <gdsim/device/device_spec.hpp>
#include <gdsim/workload/workload.hpp>

#include <optional>

namespace gdsim {

/// Returns the duration of a copy on an engine, rounded once to a picosecond, halves up, or nullopt if it exceeds 64
/// bits. The bandwidth must be above 0.
std::optional<Duration> duration_of(const Copy& copy, const CopyRule& rule);

}  // namespace gdsim
