#pragma once

#include <gdsim/device/device_spec.hpp>
#include <gdsim/dispatch/policy_catalog.hpp>
#include <gdsim/record/observer.hpp>
#include <gdsim/record/recorder.hpp>
#include <gdsim/record/run_record.hpp>
#include <gdsim/record/wait_series.hpp>
#include <gdsim/run/faults.hpp>
#include <gdsim/run/run_bounds.hpp>
#include <gdsim/run/skipping.hpp>
#include <gdsim/workload/workload.hpp>

#include <atomic>
#include <cstdint>
#include <vector>

namespace gdsim {

/// What a run keeps and whom it tells.
struct RunOptions {
  MinPhase min_phase;
  KeepTimeline keep_timeline = KeepTimeline::no;
  std::vector<Observer*> observers;  ///< told every instant; must outlive the run
  PolicyCatalog policies = built_in_policies();
  Faults faults;
  Skipping skipping = Skipping::yes;
  RunBounds bounds;
  std::vector<WaitSeries*> wait_series;     ///< told what threads wait for; must outlive the run
  const std::atomic<bool>* stop = nullptr;  ///< if given: once true, the run ends with the instant it is at
};

/// What came out of a run, and its timeline if that was kept, or resident threads over time if they alone were.
struct RunResult {
  RunRecord record;
  Timeline timeline;
  ResidentTimeline resident;
  std::uint64_t events = 0;  ///< that were handled: fewer than happened, if what repeats was skipped
};

/// Runs `workload` on `device`, dispatched by `rules`, until nothing can happen any more or it is told to stop.
///
/// Throws InputError with everything that preflight() objects to, TimeOverflowError if simulated time leaves
/// 64 bits, and DefectError if the account of the timeline and that of the cores disagree.
/// Deterministic. Memory follows what is resident at once and what is asked to be kept.
RunResult simulate(const DeviceSpec& device, const DispatchRules& rules, const Workload& workload,
                   const RunOptions& options = {});

}  // namespace gdsim
