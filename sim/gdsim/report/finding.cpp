#include <gdsim/report/finding.hpp>

#include <gdsim/base/printable.hpp>
#include <gdsim/fit/limits.hpp>
#include <gdsim/fit/tail.hpp>
#include <gdsim/report/longest_kernel.hpp>
#include <gdsim/report/resource_words.hpp>
#include <gdsim/report/wait_words.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

namespace gdsim {
namespace {

/// What takes less than a twentieth of the time is no finding.
constexpr std::uint64_t kMinShare = 20;

std::string share_text(UInt128 part, UInt128 whole) { return to_fixed({part * 100, whole}, 1) + " %"; }

/// A launch of a kernel, from its first thread to its end.
struct LaunchSpan {
  SimTime begin;
  SimTime end;
  KernelId kernel{};
  Int128 resident_time = 0;
  bool may_use_all_cores = true;
};

/// By begin. Empty if one has not ended.
std::vector<LaunchSpan> spans_of(const RunReport& report) {
  std::vector<LaunchSpan> spans;
  for (std::size_t i = 0; i < report.workload.launches.size(); ++i) {
    const Launch& launch = report.workload.launches[i];
    const LaunchRecord& life = report.record.launches[i];
    if (launch.is_copy()) continue;
    if (!life.first_dispatched || !life.ended) return {};
    const bool may_use_all_cores = report.workload.cores_of(launch).empty();
    spans.push_back(
        {*life.first_dispatched, *life.ended, launch.as_kernel().kernel, life.resident_time, may_use_all_cores});
  }
  std::sort(spans.begin(), spans.end(), [](const LaunchSpan& a, const LaunchSpan& b) { return a.begin < b.begin; });
  return spans;
}

/// One begins before another has ended.
bool are_at_once(const std::vector<LaunchSpan>& spans) {
  SimTime end = spans.front().end;
  for (std::size_t i = 1; i < spans.size(); ++i) {
    if (spans[i].begin < end) return true;
    end = std::max(end, spans[i].end);
  }
  return false;
}

KernelId longest_of(const std::vector<LaunchSpan>& spans) {
  return std::max_element(spans.begin(), spans.end(),
                          [](const LaunchSpan& a, const LaunchSpan& b) { return a.end - a.begin < b.end - b.begin; })
      ->kernel;
}

/// The time in which at least one is resident.
UInt128 time_of(const std::vector<LaunchSpan>& spans) {
  UInt128 time = 0;
  SimTime until = spans.front().begin;
  for (const LaunchSpan& span : spans) {
    const SimTime begin = std::max(until, span.begin);
    until = std::max(until, span.end);
    time += static_cast<std::uint64_t>((until - begin).count);
  }
  return time;
}

/// Threads of the kernel that fit into the device. Zero if no work-group fits.
struct Capacity {
  UInt128 threads = 0;
  UInt128 quarter_waves = 0;  ///< of a launch, rounded down
};

Capacity capacity_of(const Kernel& kernel, const DeviceSpec& device) {
  const UInt128 groups = work_groups_per_wave(kernel, device);
  if (groups == 0) return {};
  return {groups * kernel.threads_per_work_group(), UInt128{4} * kernel.range.group_count() / groups};
}

/// What most of the free contexts waited for while work-groups of these kernels were left; nothing if none waited.
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
    return words_for(reason, terms) + ", each of which a work-group placed in part holds";
  if (reason == WaitReason::contexts) return "enough others to come free on the same " + terms.core;
  return words_for(reason, terms);
}

/// Reports that far less is resident than fits, and what most of the free contexts wait for; empty if not.
///
/// `Plateau: 302 threads are resident on average where 672 fit; free contexts wait mostly for dispatch ports.`
///
/// If no two kernels are ever resident at once, it is about the kernel whose launch lasted longest, over all its
/// launches. Else it is about all launches together, over the time in which one is resident, and they are compared with
/// the kernel of which the fewest threads fit. It is empty with work-groups for fewer than four waves, because that is
/// no plateau, and for launches that may not use every core.
std::string plateau_finding(const RunReport& report) {
  constexpr std::uint64_t quarter_waves = 16;
  std::vector<LaunchSpan> spans = spans_of(report);
  if (spans.empty()) return {};
  const bool share = are_at_once(spans);
  std::optional<KernelId> only;
  if (!share) {
    only = longest_of(spans);
    std::erase_if(spans, [&](const LaunchSpan& span) { return span.kernel != *only; });
  }
  std::vector<std::optional<Capacity>> capacities(report.workload.kernels.size());
  UInt128 fit = ~UInt128{0};
  UInt128 waves = 0;
  UInt128 resident = 0;
  for (const LaunchSpan& span : spans) {
    const Kernel& kernel = report.workload.kernels[index_of(span.kernel)];
    auto& capacity = capacities[index_of(span.kernel)];
    if (!capacity) capacity = capacity_of(kernel, report.device);
    if (!span.may_use_all_cores || capacity->threads == 0) return {};
    fit = std::min(fit, capacity->threads);
    waves = share ? waves + capacity->quarter_waves : capacity->quarter_waves;
    resident += static_cast<UInt128>(span.resident_time);
  }
  const UInt128 time = time_of(spans);
  const auto reason = reason_of(report.record, only);
  if (waves < quarter_waves || time == 0 || !reason || resident * 4 >= fit * time * 3) return {};
  const Terms& terms = report.device.terms;
  const bool is_alone = report.workload.launches.size() == 1;
  const std::string& name = report.workload.kernels[index_of(spans.front().kernel)].name;
  const std::string whose = is_alone ? "" : share ? " of all launches" : " of " + printable(name);
  const std::string where = share ? "at least {} of each alone would fit" : "{} fit";
  return fmt::format("Plateau: {} {}s{} are resident on average where {}; free {}s wait mostly for {}.",
                     to_fixed({resident, time}, 0), terms.thread, whose,
                     fmt::format(fmt::runtime(where), static_cast<std::uint64_t>(fit)), terms.context,
                     reason_text(*reason, terms));
}

/// `Tail: 1 of 529 blocks of k is left over for the last of 2 waves, in which 49.9 % of the time of all waves stays
/// unused.`
std::string tail_finding(const Kernel& kernel, const RunReport& report) {
  const Terms& terms = report.device.terms;
  const auto tail = tail_of(kernel, report.device);
  if (!tail) return {};
  const UInt128 unused = tail->per_wave - tail->left_over;
  const UInt128 all = UInt128{tail->waves()} * tail->per_wave;
  if (unused * kMinShare < all) return {};
  return fmt::format(
      "Tail: {} of {} {}s of {} {} left over for the last of {} waves, in which {} of the time of all waves "
      "stays unused.",
      tail->left_over, tail->work_groups, terms.work_group, kernel.name, tail->left_over == 1 ? "is" : "are",
      tail->waves(), share_text(unused, all));
}

/// Of the words for resources, only that for SLM names one thing, whatever a vendor calls it: memory.
bool is_plural(const std::vector<Resource>& resources) {
  return resources.size() > 1 || resources.front() != Resource::slm;
}

/// `Limiter: registers let 3 blocks of k fit on one SM: 24 of 64 warp slots, 37.5 %.`
std::string limiter_finding(const Kernel& kernel, const ResourceLimits& limits, const RunReport& report) {
  const Terms& terms = report.device.terms;
  const auto limiters = limits.limiters();
  if (limiters.empty() || std::find(limiters.begin(), limiters.end(), Resource::threads) != limiters.end()) return {};
  const std::uint64_t fit = limits.work_groups_per_core();
  const std::uint64_t threads = fit * kernel.threads_per_work_group();
  const std::uint64_t contexts = report.device.contexts_per_core();
  if (threads >= contexts || kernel.range.group_count() <= UInt128{fit} * report.device.cores) return {};
  std::string words;
  for (const Resource limiter : limiters) words += (words.empty() ? "" : " and ") + words_for(limiter, terms);
  return fmt::format("Limiter: {} {} {} {}{} of {} fit on one {}: {} of {} {}s, {}.", words,
                     is_plural(limiters) ? "let" : "lets", fit, terms.work_group, fit == 1 ? "" : "s", kernel.name,
                     terms.core, threads, contexts, terms.context, share_text(threads, contexts));
}

/// `Wait: threads spend 17.0 % of their time at barriers.`
std::string wait_finding(const RunReport& report) {
  constexpr std::array<std::string_view, kTimeKindCount> words{"",
                                                               "at barriers",
                                                               "waiting for issue slots",
                                                               "waiting for memory",
                                                               "waiting for the banks of ",
                                                               "ended, while their contexts are held",
                                                               "waiting for children"};
  TimeUse sum;
  for (const CoreTimeUse& one : report.record.time_use) sum += one.use;
  std::size_t max = 1;
  for (std::size_t kind = 2; kind < kTimeKindCount; ++kind)
    if (sum.spent[kind] > sum.spent[max]) max = kind;
  if (sum.sum() == 0 || sum.spent[max] * Int128{kMinShare} < sum.sum()) return {};
  return fmt::format("Wait: {}s spend {} of their time {}{}.", report.device.terms.thread,
                     share_text(static_cast<UInt128>(sum.spent[max]), static_cast<UInt128>(sum.sum())), words[max],
                     static_cast<TimeKind>(max) == TimeKind::slm ? report.device.terms.slm : "");
}

}  // namespace

std::string first_finding(const RunReport& report) {
  if (report.record.outcome != Outcome::completed) return {};
  if (const Kernel* kernel = longest_kernel(report.workload, report.record)) {
    const ResourceLimits limits = limits_of(*kernel, report.device);
    for (const auto& finding :
         {plateau_finding(report), tail_finding(*kernel, report), limiter_finding(*kernel, limits, report)})
      if (!finding.empty()) return finding;
  }
  return wait_finding(report);
}

}  // namespace gdsim
