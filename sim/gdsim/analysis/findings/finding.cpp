#include <gdsim/analysis/findings/finding.hpp>

#include <gdsim/analysis/findings/finding_empty.hpp>
#include <gdsim/analysis/findings/finding_links.hpp>
#include <gdsim/analysis/findings/finding_plateau.hpp>
#include <gdsim/analysis/findings/finding_small.hpp>
#include <gdsim/analysis/longest_kernel.hpp>
#include <gdsim/analysis/peer_waits.hpp>
#include <gdsim/analysis/resource_words.hpp>
#include <gdsim/analysis/unused.hpp>
#include <gdsim/analysis/wait_words.hpp>
#include <gdsim/fit/limits.hpp>
#include <gdsim/fit/tail.hpp>
#include <gdsim/workload/launched_kernels.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

namespace gdsim {
namespace {

/// A share of less than a twentieth of the time is no finding.
constexpr std::uint64_t kMinShare = 20;

std::string share_text(UInt128 part, UInt128 whole) { return to_fixed({part * 100, whole}, 1) + " %"; }

/// `Tail: 1 of 529 blocks of k is left over for the last of 2 waves; unused: 49.9 % of what fits over the run, 99.8 %
/// over its last wave.` Empty if work-groups differ, by program or by a declared draw: then their count is meaningless.
std::string tail_finding(const std::optional<Unused>& unused, const RunReport& report) {
  if (!unused || !unused->has_wave || unused->last_wave.unused * kMinShare < unused->run.available) return {};
  const Kernel& kernel = report.workload.kernels[index_of(unused->kernel)];
  const std::uint64_t per_wave = work_groups_per_wave(kernel, report.device);
  const bool differ = !kernel.variation.factors.empty() || kernel.differs_by_group() ||
                      has_step<Tiles>(kernel.program) ||
                      (kernel.variation.draw && kernel.variation.draw->per != DrawPer::launch);
  if (kernel.range.group_count() <= per_wave && !differ) return {};
  const auto tail = tail_of(kernel, report.device);
  if (!tail || differ)
    return fmt::format("Tail: {}s of {} do not end together; unused: {}.", report.device.terms.work_group, kernel.name,
                       unused_words(*unused));
  return fmt::format("Tail: {} of {} {}s of {} {} left over for the last of {} waves; unused: {}.", tail->left_over,
                     tail->work_groups, report.device.terms.work_group, kernel.name,
                     tail->left_over == 1 ? "is" : "are", tail->waves(), unused_words(*unused));
}

/// Returns true if the words for the resources are plural: for every vendor, only the word for SLM is singular.
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

/// `Wait: threads spend 17.0 % of their time at barriers`, if that is at least one part of `parts`.
std::string wait_finding(const RunReport& report, std::int64_t parts) {
  const auto launched = launched_kernels(report.workload);
  const bool has_atomics = std::any_of(launched.begin(), launched.end(),
                                       [](const Kernel* kernel) { return has_global_atomics(kernel->program); });
  const std::array<std::string_view, kTimeKindCount> words{
      "",
      "at barriers",
      "waiting for issue slots",
      has_atomics ? "waiting for memory and atomics" : "waiting for memory",
      "waiting for the ",
      "ended, while their contexts are held",
      "stalled on child kernels",
      ""};
  TimeUse sum;
  for (const CoreTimeUse& core_use : report.record.time_use) sum += core_use.use;
  const Int128 all = sum.sum();
  const Int128 exchanging = exchange_time(report.workload, report.record.time_use);
  sum.add(TimeKind::barrier, -exchanging);
  std::size_t max = 1;
  for (std::size_t kind = 2; kind <= static_cast<std::size_t>(TimeKind::child); ++kind)
    if (sum.spent[kind] > sum.spent[max]) max = kind;
  const bool are_exchanging = exchanging > sum.spent[max];
  const Int128 spent = are_exchanging ? exchanging : sum.spent[max];
  if (all == 0 || spent * Int128{parts} < all) return {};
  if (are_exchanging)
    return fmt::format("Wait: {}s spend {} of their time in collectives, waiting for other devices and for links.",
                       report.device.terms.thread, share_text(static_cast<UInt128>(spent), static_cast<UInt128>(all)));
  return fmt::format(
      "Wait: {}s spend {} of their time {}{}.", report.device.terms.thread,
      share_text(static_cast<UInt128>(spent), static_cast<UInt128>(all)), words[max],
      static_cast<TimeKind>(max) == TimeKind::slm ? words_for_slm_pipe(report.device.terms, report.workload) : "");
}

}  // namespace

std::string first_finding(const RunReport& report) {
  if (report.record.outcome != Outcome::completed) return {};
  constexpr std::int64_t half = 2;
  if (const std::string links = links_finding(report); !links.empty()) return links;
  if (const Kernel* kernel = longest_own_kernel(report.workload, report.record)) {
    const ResourceLimits limits = limits_of(*kernel, report.device);
    const auto unused = unused_of(report.device, report.workload, report.record);
    for (const auto& finding :
         {empty_finding(report), wait_finding(report, half), small_finding(report), plateau_finding(report),
          tail_finding(unused, report), limiter_finding(*kernel, limits, report)})
      if (!finding.empty()) return finding;
  }
  return wait_finding(report, kMinShare);
}

}  // namespace gdsim
