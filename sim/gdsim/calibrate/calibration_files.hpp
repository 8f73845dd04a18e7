#pragma once

#include <gdsim/calibrate/calibration.hpp>
#include <gdsim/report/sink.hpp>

#include <string>

namespace gdsim {

/// For a person: the sentence, a table of parameters, and a line that can be pasted.
std::string calibration_text(const Calibration& calibration);
/// `{parameters: [{path, value, low, high, knowledge}], error_fitted, error_held_out, ...}`.
void write_calibration_json(const Calibration& calibration, Sink& sink);
/// A row per parameter.
void write_calibration_csv(const Calibration& calibration, Sink& sink);

}  // namespace gdsim
