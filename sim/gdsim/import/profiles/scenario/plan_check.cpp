#include <gdsim/import/profiles/scenario/plan_check.hpp>

#include <gdsim/base/arithmetic.hpp>
#include <gdsim/base/text.hpp>
#include <gdsim/compile/compile.hpp>
#include <gdsim/import/profiles/scenario/plan_times.hpp>
#include <gdsim/run/internal_run_options.hpp>
#include <gdsim/run/simulate.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace gdsim {
namespace {

constexpr std::int64_t kCheckedWithin = 100;  ///< a hundredth

bool is_close(std::int64_t found, std::int64_t expected) {
  const Int128 off = found > expected ? Int128{found} - expected : Int128{expected} - found;
  return off * kCheckedWithin <= expected;
}

/// |found - expected| / expected, in hundredths of a percent, rounded up.
Int128 deviation(std::int64_t found, std::int64_t expected) {
  const Int128 off = found > expected ? Int128{found} - expected : Int128{expected} - found;
  return expected > 0 ? (off * 10'000 + expected - 1) / expected : off == 0 ? 0 : 1'000'000;
}

std::string percent_text(Int128 hundredths) { return to_fixed(Ratio{static_cast<UInt128>(hundredths), 100}, 2) + " %"; }

/// Compares a plan with its run, launch by launch.
class PlanComparison {
 public:
  explicit PlanComparison(ProfilePlan& plan) : plan_(plan) { plan.gaps = 0; }

  void add(std::size_t launch, const LaunchTimes& times) {
    PlannedLaunch& planned = plan_.launches[launch];
    planned.simulated = times.duration;
    const bool lasts = is_close(planned.simulated->count, planned.duration->count);
    planned.is_loose = !plan_.workload.launches[launch].is_kernel() && !lasts;
    note_begin(launch, times);
    if (planned.is_merged) {
      merged_measured_ += planned.duration->count;
      merged_simulated_ += planned.simulated->count;
      return;
    }
    planned.is_gap = (planned.begun && !is_close(times.begun.value_or(SimTime{}).count, planned.begun->count)) ||
                     (!planned.is_loose && !lasts);
    if (planned.is_gap) ++plan_.gaps;
    if (!planned.is_loose) note_duration(launch);
  }
  void finish() {
    plan_.worst_begin = worst_begin_;
    if (merged_measured_ > 0)
      plan_.notes.push_back(
          fmt::format("--merge: with what is drawn, merged launches last {} together; measured were {}",
                      to_text(Duration{static_cast<std::int64_t>(merged_simulated_)}),
                      to_text(Duration{static_cast<std::int64_t>(merged_measured_)})));
  }

 private:
  /// Keeps what begins furthest from when it was measured to begin. A part of the time since the first launch says
  /// little of a late one.
  void note_begin(std::size_t launch, const LaunchTimes& times) {
    const auto& measured = plan_.launches[launch].begun;
    if (!measured || !times.begun) return;
    const std::int64_t off = std::max((*times.begun - *measured).count, (*measured - *times.begun).count);
    if (off <= worst_begin_off_) return;
    worst_begin_off_ = off;
    worst_begin_ = fmt::format("{} for {}", to_text(Duration{off}), printable(plan_.workload.launches[launch].name));
  }
  void note_duration(std::size_t launch) {
    const PlannedLaunch& planned = plan_.launches[launch];
    const Int128 off = deviation(planned.simulated->count, planned.duration->count);
    if (off <= worst_) return;
    worst_ = off;
    plan_.worst = fmt::format("{} for {}: measured {}, simulated {}", percent_text(off),
                              printable(plan_.workload.launches[launch].name), to_text(*planned.duration),
                              to_text(*planned.simulated));
  }

  ProfilePlan& plan_;
  std::int64_t worst_begin_off_ = -1;
  std::string worst_begin_;
  Int128 worst_ = -1;
  Int128 merged_measured_ = 0;
  Int128 merged_simulated_ = 0;
};

}  // namespace

void find_occupancy(const DeviceSpec& device, ProfilePlan& plan, const StopToken& stop) {
  if (!plan.occupancy) return;
  const Ratio achieved = stoppable_run(compile(device, plan.workload).value(), stop).record.achieved_occupancy();
  plan.occupancy->simulated =
      achieved.denominator == 0 ? 0 : static_cast<std::uint64_t>(achieved.numerator * 100 / achieved.denominator);
}

void check_plan(ProfilePlan& plan, PlanSimulator& simulator, Reaching reaching) {
  const std::vector<LaunchTimes> times = simulator.times_of(plan, reaching);
  PlanComparison comparison(plan);
  for (std::size_t i = 0; i < plan.launches.size(); ++i) comparison.add(i, times[i]);
  comparison.finish();
}

RunResult stoppable_run(const Compiled& compiled, const StopToken& stop) {
  RunOptions options;
  options.stop = stop;
  RunResult run = simulate(compiled, options, KeepAccounts::no);
  if (stop.stop_requested()) throw ImportStopped();
  return run;
}

Workload lone_launch(const Kernel& kernel) { return {{kernel}, {{"alone", KernelId{0}, {}}}}; }

Duration lone_duration(const DeviceSpec& device, const Kernel& kernel, const StopToken& stop) {
  const RunResult run = stoppable_run(compile(device, lone_launch(kernel)).value(), stop);
  return run.record.launches.front().duration().value_or(Duration{});
}

}  // namespace gdsim
