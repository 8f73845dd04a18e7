#pragma once

#include <gdsim/device/device_spec.hpp>
#include <gdsim/scenario/device/models.hpp>

#include <string>
#include <vector>

namespace gdsim::cli {

/// Lists what a model lacks: how many values are missing or not verified; then for each incomplete key, a line with the
/// consequence and a line that shows how to write it.
std::string gaps_text(const DeviceSpec& device, const std::vector<ModelGap>& gaps, const SourceCount& sources);

}  // namespace gdsim::cli
