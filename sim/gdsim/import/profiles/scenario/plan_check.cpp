#include <gdsim/import/profiles/scenario/plan_check.hpp>

#include <gdsim/base/fraction.hpp>
#include <gdsim/base/printable.hpp>
#include <gdsim/compile/compile.hpp>
#include <gdsim/import/profiles/scenario/stoppable_run.hpp>
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

/// Keeps the launch whose begin differs most from the measured one, in time: for a late launch, a share of the time
/// since the first launch would mean little.
struct WorstBegin {
  std::int64_t off = -1;
  std::string text;
};

std::string percent_text(Int128 hundredths) { return to_fixed(Ratio{static_cast<UInt128>(hundredths), 100}, 2) + " %"; }

}  // namespace

void check_plan(const DeviceSpec& device, ProfilePlan& plan, const StopToken& stop) {
  const Compilation ready = compile_in_place(device, device.dispatch, plan.workload);
  if (!ready) throw_input_error(ready.issues());
  const RunResult run = stoppable_run(ready.value(), stop);
  if (plan.occupancy) {
    const Ratio achieved = run.record.achieved_occupancy();
    plan.occupancy->simulated =
        achieved.denominator == 0 ? 0 : static_cast<std::uint64_t>(achieved.numerator * 100 / achieved.denominator);
  }
  WorstBegin worst_begin;
  Int128 worst = -1;
  Int128 merged_measured = 0;
  Int128 merged_simulated = 0;
  plan.gaps = 0;
  for (std::size_t i = 0; i < plan.launches.size(); ++i) {
    PlannedLaunch& planned = plan.launches[i];
    const LaunchRecord& record = run.record.launches[i];
    planned.simulated = record.duration().value_or(Duration{});
    const bool lasts = is_close(planned.simulated->count, planned.duration->count);
    planned.is_loose = !plan.workload.launches[i].is_kernel() && !lasts;
    if (planned.begun && record.begun) {
      const std::int64_t off = std::max((*record.begun - *planned.begun).count, (*planned.begun - *record.begun).count);
      if (off > worst_begin.off)
        worst_begin = {off,
                       fmt::format("{} for {}", to_text(Duration{off}), printable(plan.workload.launches[i].name))};
    }
    if (planned.is_merged) {
      merged_measured += planned.duration->count;
      merged_simulated += planned.simulated->count;
      continue;
    }
    planned.is_gap = (planned.begun && !is_close(record.begun.value_or(SimTime{}).count, planned.begun->count)) ||
                     (!planned.is_loose && !lasts);
    if (planned.is_gap) ++plan.gaps;
    if (planned.is_loose) continue;
    const Int128 off = deviation(planned.simulated->count, planned.duration->count);
    if (off <= worst) continue;
    worst = off;
    plan.worst =
        fmt::format("{} for {}: measured {}, simulated {}", percent_text(off),
                    printable(plan.workload.launches[i].name), to_text(*planned.duration), to_text(*planned.simulated));
  }
  plan.worst_begin = worst_begin.text;
  if (merged_measured > 0)
    plan.notes.push_back(fmt::format("--merge: with what is drawn, merged launches last {} together; measured were {}",
                                     to_text(Duration{static_cast<std::int64_t>(merged_simulated)}),
                                     to_text(Duration{static_cast<std::int64_t>(merged_measured)})));
}

}  // namespace gdsim
