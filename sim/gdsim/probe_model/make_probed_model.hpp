#pragma once

#include <gdsim/base/in_order.hpp>
#include <gdsim/probe_model/probed_model.hpp>
#include <gdsim/run/simulate.hpp>
#include <gdsim/scenario/read_scenario.hpp>

#include <string>
#include <vector>

namespace gdsim {

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

}  // namespace gdsim
