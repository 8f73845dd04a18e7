#pragma once

#include <gdsim/base/in_order.hpp>
#include <gdsim/device/device_spec.hpp>
#include <gdsim/probe_model/model_figures.hpp>
#include <gdsim/probe_model/probed_model.hpp>
#include <gdsim/report/sink.hpp>
#include <gdsim/run/simulate.hpp>
#include <gdsim/scenario/read_scenario.hpp>

#include <cstdint>
#include <string>
#include <vector>

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

/// How to make a model from the probe's tables.
struct ProbeModelRequest {
  std::string id;      ///< the name that scenarios use
  std::string family;  ///< a model by name or path; empty: by the tables' `architecture`
};

/// Makes a device model from the probe's tables: limits compared with those of `gdsim occupancy`, orders and policies
/// by infer_rules(), interval, recovery, launch cost and latencies as measured, the bandwidth of memory by calibrate().
/// The last repetition of a repeated run is held out from everything that is taken from blocks, and compared with the
/// model. Unmeasured values come from the family. Throws InputError if the family cannot be found or does not match the
/// device. The result is the same with any number of jobs.
ProbedModel make_probed_model(ProbeLogs logs, const ProbeModelRequest& request, const ReadOptions& read,
                              const RunOptions& run, Jobs jobs, SourceFiles& sources);

/// Runs the model with the launches of the probe that were alone on the device. Each block has its measured length, so
/// that only its time and place are compared. Repetitions in `held_out` are marked. At most one repetition of each run,
/// a held-out one if there is one; launches of more than 20,000 blocks are left out.
std::vector<RunComparison> compare_runs(const std::vector<ProbedRun>& fitted, const std::vector<ProbedRun>& held_out,
                                        const DeviceSpec& device, const RunOptions& options, Jobs jobs);

}  // namespace gdsim
