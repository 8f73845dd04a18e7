#include <gdsim/analysis/findings/findings.hpp>

#include <gdsim/analysis/selected_launches.hpp>
#include <gdsim/analysis/words.hpp>
#include <gdsim/base/text.hpp>
#include <gdsim/device/clock_schedule.hpp>
#include <gdsim/fit/limits.hpp>
#include <gdsim/program/program_plan.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>
#include <vector>

namespace gdsim {
namespace {

constexpr std::array<std::string_view, kFindingKindCount> kNames{
    "roofline", "imbalance", "tail", "recovery", "limiter", "latency", "barrier", "atomics",
    "dispatch", "placement", "host", "copies",   "links",   "small",   "empty",   "assumption"};

Finding unknown_finding(const RunReport& report) {
  return {FindingKind::empty,
          "no resource, wait or idle " + report.device.terms.core + " stands out. The steps of the " +
              report.device.terms.thread + "s take the time: make these steps shorter.",
          {}};
}

}  // namespace

std::string_view name_of(FindingKind kind) { return kNames[static_cast<std::size_t>(kind)]; }

std::string finding_line(const Finding& finding) {
  std::string word(name_of(finding.kind));
  word[0] = static_cast<char>(word[0] - 'a' + 'A');
  return word + ": " + finding.what;
}

std::string rests_on_line(const RestsOn& assumption, Duration duration) {
  std::string text = fmt::format("Rests on: {} is {} in the model, but this is an assumption or sources disagree",
                                 assumption.key, assumption.value);
  for (const RestsOn::Alternative& alternative : assumption.alternatives)
    text +=
        fmt::format("{} {} the run takes {}", &alternative == &assumption.alternatives.front() ? ". With" : "; with",
                    alternative.value, to_rounded_text(alternative.duration));
  return text + " instead of " + to_rounded_text(duration) + ".";
}

std::vector<Finding> findings_of(const RunReport& report, const SpeedOfLight& speed) {
  if (report.record.outcome != Outcome::completed) return {};
  constexpr int half = 2, tenth = 10, twentieth = 20;
  std::vector<Finding> findings;
  for (std::optional<Finding>& finding :
       std::array{links_finding(report), roofline_finding(report, speed), empty_device_finding(report),
                  small_finding(report), idle_finding(report, tenth), barrier_finding(report, half),
                  atomics_finding(report, speed), plateau_finding(report), limiter_finding(report),
                  slm_pool_finding(report), wait_finding(report, speed, half), idle_finding(report, twentieth),
                  barrier_finding(report, twentieth), wait_finding(report, speed, twentieth)})
    if (finding) findings.push_back(std::move(*finding));
  findings.push_back(unknown_finding(report));
  return findings;
}

Finding first_finding(const RunReport& report) {
  if (report.answer) return report.answer->finding;
  const std::vector<Finding> all = findings_of(report, speed_of_light(report));
  return all.empty() ? Finding{} : all.front();
}

namespace {

/// The amount of a kernel that fits on the device. Zero if no work-group fits.
struct Capacity {
  UInt128 threads = 0;
  UInt128 quarter_waves = 0;  ///< quarters of waves in one of its launches, rounded down
};

Capacity capacity_of(const Kernel& kernel, const DeviceSpec& device) {
  const UInt128 groups = work_groups_per_wave(kernel, device);
  if (groups == 0) return {};
  return {groups * kernel.threads_per_work_group(), UInt128{4} * kernel.range.group_count() / groups};
}

/// Returns the reason for which most of the free contexts waited while work-groups of these kernels were left, or
/// nullopt if no context waited.
std::optional<WaitReason> reason_of(const RunRecord& record, std::optional<KernelId> only) {
  std::array<Int128, kWaitReasonCount> sums{};
  for (const IdleUse& use : record.idle)
    if (use.reason && (!only || use.kernel == only)) sums[static_cast<std::size_t>(*use.reason)] += use.context_time;
  const auto max = std::max_element(sums.begin(), sums.end());
  if (*max == 0) return std::nullopt;
  return static_cast<WaitReason>(max - sums.begin());
}

std::string reason_text(WaitReason reason, const Terms& terms) {
  if (reason == WaitReason::ports)
    return words_for(reason, terms) + ", which " + terms.work_group + "s hold that are placed in part";
  if (reason == WaitReason::contexts) return "enough free " + terms.context + "s on one " + terms.core;
  return words_for(reason, terms);
}

/// The resident amount and the amount that would fit.
struct Residency {
  UInt128 thread_time = 0;    ///< resident threads x picoseconds
  UInt128 time = 0;           ///< picoseconds in which one launch or more was resident
  UInt128 fit = ~UInt128{0};  ///< threads of the kernel with the fewest that fit
  UInt128 quarter_waves = 0;  ///< of one launch if all are of one kernel, else of all launches together
};

/// Returns nullopt if the capacity is unknown: a launch may not use every core, or no work-group fits.
std::optional<Residency> residency_of(const ComparedLaunches& compared, const RunReport& report) {
  std::vector<std::optional<Capacity>> capacities(report.workload.kernels.size());
  Residency residency;
  for (const LaunchSpan& span : compared.spans) {
    const std::size_t kernel = index_of(span.kernel);
    if (!capacities[kernel]) capacities[kernel] = capacity_of(report.workload.kernels[kernel], report.device);
    const Capacity& capacity = *capacities[kernel];
    if (!span.may_use_all_cores || capacity.threads == 0) return std::nullopt;
    residency.fit = std::min(residency.fit, capacity.threads);
    residency.quarter_waves = capacity.quarter_waves + (compared.only_kernel ? 0 : residency.quarter_waves);
    residency.thread_time += static_cast<UInt128>(span.resident_time);
  }
  residency.time = covered_time(compared.spans);
  return residency;
}

/// Returns true if there are four waves or more, and less than three quarters of the capacity is resident on average.
bool is_low_plateau(const Residency& residency) {
  constexpr std::uint64_t min_quarter_waves = 16;
  return residency.quarter_waves >= min_quarter_waves && residency.time > 0 &&
         residency.thread_time * 4 < residency.fit * residency.time * 3;
}

/// Returns the recovery time of ended threads' resources if it accounts for at least half of the capacity that is not
/// resident, else nullopt.
std::optional<Duration> recovery_behind(const ComparedLaunches& compared, const Residency& residency,
                                        const RunReport& report) {
  const auto& recovery = report.dispatch.recovery;
  if (ClockSchedule(report.device).number_before(report.record.end) > 0)
    return std::nullopt;  // recoveries differ in length
  const auto span = recovery ? resolve(*recovery, clock_of(report.device), Decimal::whole(1)) : std::nullopt;
  if (!span) return std::nullopt;
  UInt128 ended = 0;
  for (const LaunchSpan& launch : compared.spans)
    ended += report.workload.kernels[index_of(launch.kernel)].threads_total();
  const UInt128 missing = residency.fit * residency.time - residency.thread_time;
  return 2 * ended * static_cast<std::uint64_t>(span->count) >= missing ? span : std::nullopt;
}

/// `1757 of the 2592 warps that fit are resident on average: ` with `why` behind it.
Finding plateau_of(FindingKind kind, const ComparedLaunches& compared, const Residency& residency,
                   const std::string& why, const RunReport& report) {
  const Terms& terms = report.device.terms;
  std::string whose;
  if (report.workload.launches.size() > 1)
    whose = compared.only_kernel ? " of " + printable(report.workload.kernels[index_of(*compared.only_kernel)].name)
                                 : " of all launches";
  const auto fit = static_cast<std::uint64_t>(residency.fit);
  return {kind,
          fmt::format("{} {}s{} are resident on average where {}. {}.",
                      to_fixed({residency.thread_time, residency.time}, 0), terms.thread, whose,
                      compared.only_kernel ? fmt::format("{} fit", fit)
                                           : fmt::format("at least {} of one kernel alone fit", fit),
                      why),
          {residency.thread_time * 100, residency.fit * residency.time}};
}

FindingKind kind_for(WaitReason reason) {
  switch (reason) {
    case WaitReason::dispatch_interval:
    case WaitReason::ports: return FindingKind::dispatch;
    case WaitReason::slm:
    case WaitReason::registers:
    case WaitReason::work_group_slots:
    case WaitReason::barriers: return FindingKind::limiter;
    default: return FindingKind::placement;
  }
}

}  // namespace

std::optional<Finding> plateau_finding(const RunReport& report) {
  const ComparedLaunches compared = compared_launches(report.workload, report.record);
  if (compared.spans.empty()) return std::nullopt;
  const auto residency = residency_of(compared, report);
  if (!residency || !is_low_plateau(*residency)) return std::nullopt;
  if (const auto recovery = recovery_behind(compared, *residency, report)) {
    Finding finding =
        plateau_of(FindingKind::recovery, compared, *residency,
                   fmt::format("A {} stays empty for {} after its {} has ended (`recovery`)",
                               report.device.terms.context, to_rounded_text(*recovery), report.device.terms.work_group),
                   report);
    finding.lifted_by = {"no_recovery"};
    return finding;
  }
  const auto reason = reason_of(report.record, compared.only_kernel);
  if (!reason) return std::nullopt;
  Finding finding = plateau_of(kind_for(*reason), compared, *residency,
                               fmt::format("While {}s are free, {}s wait mostly for {}", report.device.terms.context,
                                           report.device.terms.work_group, reason_text(*reason, report.device.terms)),
                               report);
  if (*reason == WaitReason::dispatch_interval) finding.lifted_by = {"dispatch_instantaneous"};
  if (*reason == WaitReason::ports) finding.lifted_by = {"ports_unlimited"};
  return finding;
}

}  // namespace gdsim
