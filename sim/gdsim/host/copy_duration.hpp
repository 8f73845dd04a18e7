#pragma once

#include <gdsim/device/device_spec.hpp>
#include <gdsim/workload/workload.hpp>

#include <optional>

namespace gdsim {

/// How long a copy takes on an engine, rounded once to a picosecond, halves up; nullopt if that exceeds 64 bits. The
/// bandwidth is above 0.
std::optional<Duration> duration_of(const Copy& copy, const CopyRule& rule);

}  // namespace gdsim
