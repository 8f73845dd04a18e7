#include <gdsim/report/finding.hpp>

#include <gdsim/fit/limits.hpp>
#include <gdsim/report/resource_words.hpp>
#include <gdsim/report/wait_words.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace gdsim {
namespace {

/// What takes less than a twentieth of the time is no finding.
constexpr std::uint64_t kLeastShare = 20;

std::string share_text(UInt128 part, UInt128 whole) { return to_fixed({part * 100, whole}, 1) + " %"; }

/// The kernel whose launch lasted longest; null if only copies passed.
const Kernel* longest_kernel_of(const RunReport& report) {
  const Kernel* longest = nullptr;
  Picoseconds most{-1};
  for (std::size_t i = 0; i < report.workload.launches.size(); ++i) {
    const Launch& launch = report.workload.launches[i];
    const LaunchRecord& life = report.record.launches[i];
    if (launch.is_copy() || !life.first_dispatched || !life.ended) continue;
    if (*life.ended - *life.first_dispatched <= most) continue;
    most = *life.ended - *life.first_dispatched;
    longest = &report.workload.kernel_of(launch);
  }
  return longest;
}

/// What most of the free contexts waited for while work-groups were left; nothing if none waited.
std::optional<WaitReason> reason_of_idle(const RunRecord& record) {
  std::array<Int128, kWaitReasonCount> sums{};
  for (const IdleUse& use : record.idle)
    if (use.reason) sums[static_cast<std::size_t>(*use.reason)] += use.context_time;
  const auto most = std::max_element(sums.begin(), sums.end());
  if (*most == 0) return std::nullopt;
  return static_cast<WaitReason>(most - sums.begin());
}

/// `Plateau: 302 threads are resident on average where 672 fit; free contexts wait mostly for dispatch ports.`
std::string plateau_finding(const Kernel& kernel, const ResourceLimits& limits, const RunReport& report) {
  constexpr std::uint64_t waves = 4;
  const LaunchRecord& life = report.record.launches.front();
  const UInt128 groups = UInt128{limits.least()} * report.device.cores;
  if (report.workload.launches.size() > 1 || groups * waves > kernel.range.group_count()) return {};
  const UInt128 fit = groups * kernel.threads_per_work_group();
  const auto time = static_cast<std::uint64_t>((*life.ended - *life.first_dispatched).count);
  const auto resident = static_cast<UInt128>(life.resident_time);
  const auto reason = reason_of_idle(report.record);
  if (!reason || resident * 4 >= fit * time * 3) return {};
  const Terms& terms = report.device.terms;
  std::string why = words_for(*reason, terms);
  if (*reason == WaitReason::ports) why += ", each of which a work-group placed in part holds";
  if (*reason == WaitReason::contexts) why = "enough others to come free on the same " + terms.core;
  return fmt::format("Plateau: {} {}s are resident on average where {} fit; free {}s wait mostly for {}.",
                     to_fixed({resident, time}, 0), terms.thread, static_cast<std::uint64_t>(fit), terms.context, why);
}

/// `Tail: 1 of 529 blocks of k is left over for a second wave: 49.9 % of the time of 2 waves stays unused.`
std::string tail_finding(const Kernel& kernel, const ResourceLimits& limits, const RunReport& report) {
  const Terms& terms = report.device.terms;
  const std::uint64_t groups = kernel.range.group_count();
  const UInt128 per_wave = UInt128{limits.least()} * report.device.cores;
  if (per_wave == 0 || groups <= per_wave || groups % per_wave == 0) return {};
  const auto left_over = static_cast<std::uint64_t>(groups % per_wave);
  const UInt128 waves = groups / per_wave + 1;
  const UInt128 unused = per_wave - left_over;
  if (unused * kLeastShare < waves * per_wave) return {};
  return fmt::format(
      "Tail: {} of {} {}s of {} {} left over for the last of {} waves, in which {} of the time of all waves "
      "stays unused.",
      left_over, groups, terms.work_group, kernel.name, left_over == 1 ? "is" : "are",
      static_cast<std::uint64_t>(waves), share_text(unused, waves * per_wave));
}

/// `Limiter: registers allow 3 blocks of k on an SM: 24 of 64 warp slots, 37.5 %.`
std::string limiter_finding(const Kernel& kernel, const ResourceLimits& limits, const RunReport& report) {
  const Terms& terms = report.device.terms;
  const auto limiters = limits.limiters();
  if (limiters.empty() || std::find(limiters.begin(), limiters.end(), Resource::threads) != limiters.end()) return {};
  const std::uint64_t fit = limits.least();
  const std::uint64_t threads = fit * kernel.threads_per_work_group();
  const std::uint64_t contexts = report.device.contexts_per_core();
  if (threads >= contexts || kernel.range.group_count() <= UInt128{fit} * report.device.cores) return {};
  std::string words;
  for (const Resource limiter : limiters) words += (words.empty() ? "" : " and ") + words_for(limiter, terms);
  return fmt::format("Limiter: {} let {} {}{} of {} fit on one {}: {} of {} {}s, {}.", words, fit, terms.work_group,
                     fit == 1 ? "" : "s", kernel.name, terms.core, threads, contexts, terms.context,
                     share_text(threads, contexts));
}

/// `Wait: threads spend 17.0 % of their time at barriers.`
std::string wait_finding(const RunReport& report) {
  constexpr std::array<std::string_view, kTimeKinds> words{"",
                                                           "at barriers",
                                                           "waiting for issue slots",
                                                           "waiting for memory",
                                                           "waiting for the banks of ",
                                                           "ended, while their contexts are held",
                                                           "waiting for children"};
  TimeUse sum;
  for (const CoreTimeUse& one : report.record.time_use) sum += one.use;
  std::size_t most = 1;
  for (std::size_t kind = 2; kind < kTimeKinds; ++kind)
    if (sum.spent[kind] > sum.spent[most]) most = kind;
  if (sum.sum() == 0 || sum.spent[most] * Int128{kLeastShare} < sum.sum()) return {};
  return fmt::format("Wait: {}s spend {} of their time {}{}.", report.device.terms.thread,
                     share_text(static_cast<UInt128>(sum.spent[most]), static_cast<UInt128>(sum.sum())), words[most],
                     static_cast<TimeKind>(most) == TimeKind::slm ? report.device.terms.slm : "");
}

}  // namespace

std::string first_finding(const RunReport& report) {
  if (report.record.outcome != Outcome::completed) return {};
  if (const Kernel* kernel = longest_kernel_of(report)) {
    const ResourceLimits limits = limits_of(*kernel, report.device);
    for (const auto& finding : {plateau_finding(*kernel, limits, report), tail_finding(*kernel, limits, report),
                                limiter_finding(*kernel, limits, report)})
      if (!finding.empty()) return finding;
  }
  return wait_finding(report);
}

}  // namespace gdsim
