#pragma once

#include <gdsim/probe_model/probed_model.hpp>
#include <gdsim/report/sink.hpp>

#include <cstdint>
#include <string>

namespace gdsim {

/// For a person: the measured and the unmeasured values, residency, and measured and simulated times of each run.
std::string probe_model_text(const ProbedModel& model);
/// `{device, family, values: [{path, value, origin, samples, low, high, source}], residency: [...], runs: [...], ...}`.
void write_probe_model_json(const ProbedModel& model, Sink& sink);
/// A row per value.
void write_probe_model_csv(const ProbedModel& model, Sink& sink);
/// Measured and simulated side by side: a table of values, one of runs, and resident blocks over time.
void write_probe_model_page(const ProbedModel& model, Sink& sink);

/// Hundredths of a percent: `97.25 %`.
std::string hundredths_text(std::uint64_t hundredths);

/// `12 of 14 runs last as simulated within 1 %, ...`, for runs that could be simulated.
std::string comparison_sentence(const ProbedModel& model);

}  // namespace gdsim
