#pragma once

#include <gdsim/probe_model/probed_model.hpp>

#include <string>

namespace gdsim {

/// The origin of a value, as in `sources:`: `measured by the probe on 2026-11-25, 132 samples, half of them from 512
/// cycles to 530 cycles: ...`.
std::string source_of(const ProbedValue& value, const ProbeFacts& facts);

/// The device's file: a product of the family, its values with their sources, and a comment on the family's values.
std::string model_yaml(const ProbedModel& model);

}  // namespace gdsim
