#pragma once

#include <gdsim/base/in_order.hpp>
#include <gdsim/probe_model/probed_model.hpp>
#include <gdsim/run/simulate.hpp>
#include <gdsim/scenario/read_scenario.hpp>

#include <string>
#include <vector>

namespace gdsim {

/// How a model is made of the probe's tables.
struct ProbeModelRequest {
  std::string id;      ///< the name that scenarios use
  std::string family;  ///< a model by name or path; empty: the one that the tables' `architecture` names
};

/// Makes a device model of the probe's tables: limits beside those of `gdsim occupancy`, orders and policies by
/// infer_rules(), interval, recovery and launch cost as measured, latencies as measured, the bandwidth of memory by
/// calibrate(). Of runs that were repeated, the last repetition is held out from all that is taken from blocks, and
/// compared with the model. Unmeasured values come from the family. Throws InputError if the family cannot be
/// found or does not match the device. The same with any number of jobs.
ProbedModel make_probed_model(ProbeLogs logs, const ProbeModelRequest& request, const ReadOptions& read,
                              const RunOptions& run, Jobs jobs, SourceFiles& sources);

}  // namespace gdsim
