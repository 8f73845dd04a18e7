#pragma once

#include <gdsim/analysis/comparison.hpp>

#include <string>

namespace gdsim::cli {

/// A comparison for a person: a row per phase, the means, and the mean absolute difference over time.
std::string comparison_text(const RunView& view, const MeasuredOccupancy& measured, const Comparison& comparison);

}  // namespace gdsim::cli
