#pragma once

#include <gdsim/device/device_spec.hpp>
#include <gdsim/scenario/device/model_gaps.hpp>

#include <string>
#include <vector>

namespace gdsim::cli {

/// What is missing of a model: a line for each key that lacks something, with what that costs, and one with how it is
/// written; how many of its sources can be followed.
std::string gaps_text(const DeviceSpec& device, const std::vector<ModelGap>& gaps, const SourceCount& sources);

}  // namespace gdsim::cli
