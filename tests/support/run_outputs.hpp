#pragma once

#include "support/random_runs.hpp"

#include <gdsim/run/internal_run_options.hpp>

#include <string>

namespace gdsim::testing {

/// Everything that a run writes.
struct RunOutputs {
  std::string tables;  ///< every CSV and summary.json
  std::string trace;
  std::string pictures;    ///< samples, chart, SVG and page, if a timeline was to be kept and something took time
  bool has_loops = false;  ///< the timeline keeps a repeated piece only once
  std::uint64_t events = 0;
};

/// Runs it, with `options.observers` as additional observers.
RunOutputs outputs_of(const RandomRun& run, InternalRunOptions options);

/// The outputs of one run with fast-forwarding and without.
struct BothWays {
  RunOutputs with;
  RunOutputs without;

  bool are_same() const {
    return with.tables == without.tables && with.pictures == without.pictures && with.trace == without.trace;
  }
  /// The first line of the tables that differs, with fast-forwarding and without; empty if none does.
  std::string first_difference() const;
};
BothWays outputs_both_ways(const RandomRun& run, InternalRunOptions options);

/// Requires that the drawn run, if it can run, writes the same with fast-forwarding and without, with a timeline. Must
/// be called in a property.
void require_same_bytes_both_ways(const RandomRun& drawn);

/// The files of a run whose single work-groups are not observed: every CSV file except theirs, and summary.json.
std::string counts_of(const RandomRun& run, InternalRunOptions options);
/// counts_of() with a row for each work-group.
std::string rows_of(const RandomRun& run, InternalRunOptions options);

/// Returns true if the program of some kernel has a loop.
bool has_loop(const Workload& workload);

}  // namespace gdsim::testing
