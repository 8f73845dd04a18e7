#include <gdsim/analysis/device_summary.hpp>
#include <gdsim/analysis/findings/findings.hpp>
#include <gdsim/analysis/selected_launches.hpp>
#include <gdsim/analysis/words.hpp>
#include <gdsim/base/text.hpp>
#include <gdsim/fit/limits.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>

// Findings on devices and cores that are empty, in part or as a whole.

namespace gdsim {
namespace {

/// Returns the picoseconds in which one of the spans has begun and not ended.
UInt128 time_of_any(std::vector<LaunchSpan> spans) {
  std::sort(spans.begin(), spans.end(), [](const LaunchSpan& a, const LaunchSpan& b) { return a.begin < b.begin; });
  return time_of(spans);
}

std::vector<LaunchSpan> spans_of_links(const RunReport& report) {
  std::vector<LaunchSpan> spans;
  for (const LinkSpan& span : report.links) spans.push_back({0, span.begin, span.end});
  return spans;
}

std::vector<LaunchSpan> spans_of_copies(const RunReport& report) {
  std::vector<LaunchSpan> spans;
  for (std::size_t i = 0; i < report.workload.launches.size(); ++i) {
    const LaunchRecord& life = report.record.launches[i];
    if (report.workload.launches[i].is_copy() && life.first_dispatched && life.ended)
      spans.push_back({i, *life.first_dispatched, *life.ended});
  }
  return spans;
}

/// Returns the picoseconds in which one of `spans` goes on, and none of the others.
UInt128 time_alone(std::vector<LaunchSpan> spans, const std::vector<LaunchSpan>& others) {
  spans.insert(spans.end(), others.begin(), others.end());
  return time_of_any(spans) - time_of_any(others);
}

/// Why no thread is resident while nothing is copied, and the time that launches waited for it.
struct Gap {
  FindingKind kind;
  std::string words;
  Int128 waited = 0;
};

Gap longest_gap(const RunReport& report) {
  std::array<Gap, 3> gaps{
      Gap{FindingKind::host, "the host submits launches or waits"},
      Gap{FindingKind::dispatch, "the device prepares launches (`launch_cost`)"},
      Gap{FindingKind::dispatch, "the device passes from one launch to the next (`dependency_gap`)"}};
  const auto add = [](Int128& sum, Duration time) { sum += time.count; };
  for (std::size_t i = 0; i < report.record.launches.size(); ++i) {
    const LaunchRecord& life = report.record.launches[i];
    add(gaps[0].waited, life.waited[WaitReason::host]);
    add(gaps[0].waited, life.waited[WaitReason::launch_latency]);
    add(gaps[1].waited, life.waited[WaitReason::launch_cost]);
    const auto& before = report.graph.predecessors[i];
    if (before.empty() || !life.ready) continue;
    OptionalTime last = SimTime{};
    for (const Dependency& dependency : before)
      last = std::max(*last, report.record.launches[index_of(dependency.before)].ended.value_or(SimTime{}));
    if (*last < *life.ready) add(gaps[2].waited, std::min(*life.ready - *last, report.device.dependency_gap));
  }
  return *std::max_element(gaps.begin(), gaps.end(), [](const Gap& a, const Gap& b) { return a.waited < b.waited; });
}

/// Returns true if the kernel's work-groups do not all take the same time, by what its scenario says.
bool do_work_groups_differ(const Kernel& kernel) {
  const Variation& variation = kernel.variation;
  return !variation.factors.empty() || kernel.differs_by_group() || has_step<Tiles>(kernel.program) ||
         (variation.draw && variation.draw->per != DrawPer::launch);
}

/// `On average, 31.2 of 108 SMs hold a block`
std::string busy_cores_words(const RunReport& report) {
  const RunRecord& record = report.record;
  const auto active = static_cast<UInt128>(std::max<std::int64_t>(record.active().count, 1));
  return fmt::format("On average, {} of {} hold a {}", to_fixed({static_cast<UInt128>(record.core_time), active}, 1),
                     counted(report.device.cores, report.device.terms.core), report.device.terms.work_group);
}

/// Returns the part of the time of all cores in which they hold no thread, or nullopt if a launch may not use them all.
std::optional<Ratio> idle_cores(const RunReport& report) {
  const RunRecord& record = report.record;
  for (const LaunchSpan& span : launch_spans(report.workload, record))
    if (!span.may_use_all_cores) return std::nullopt;
  const Int128 all = Int128{std::max<std::int64_t>(record.active().count, 0)} * report.device.cores;
  const Int128 busy = std::min(all, record.core_time);
  return all == 0 ? std::nullopt : std::optional(percent_share(all - busy, all));
}

bool is_part(const Ratio& percent, std::uint64_t parts) {
  return percent.numerator * parts >= percent.denominator * 100;
}

Finding tail_finding(const Kernel& kernel, const Ratio& unused, const RunReport& report) {
  const Terms& terms = report.device.terms;
  const auto tail = tail_of(kernel, report.device);
  const std::string which =
      tail ? fmt::format("{} of {} {}s of {} {} left over for the last of {} waves", tail->left_over, tail->work_groups,
                         terms.work_group, printable(kernel.name), tail->left_over == 1 ? "is" : "are", tail->waves())
           : fmt::format("{}s of {} do not end together", terms.work_group, printable(kernel.name));
  return {FindingKind::tail,
          fmt::format("{}. The {}s that are empty at the end cost {} of the run's capacity. {}.", which, terms.context,
                      share_words(unused), busy_cores_words(report)),
          unused};
}

}  // namespace

std::optional<Finding> links_finding(const RunReport& report) {
  const auto run = static_cast<UInt128>(report.record.duration().count);
  const std::vector<LaunchSpan> links = spans_of_links(report);
  if (links.empty() || run == 0) return std::nullopt;
  std::vector<LaunchSpan> kernels = launch_spans(report.workload, report.record);
  std::erase_if(kernels, [&](const LaunchSpan& span) {
    return report.workload.launches[span.launch].as_kernel().is_part_of_collective;
  });
  const UInt128 alone = time_alone(links, kernels);
  if (alone * 2 < run) return std::nullopt;
  return Finding{FindingKind::links,
                 fmt::format("for {} of the run, this device runs nothing but copies and collectives over links.",
                             share_words(percent_share(alone, run))),
                 percent_share(alone, run)};
}

std::optional<Finding> empty_device_finding(const RunReport& report) {
  const std::vector<LaunchSpan> kernels = launch_spans(report.workload, report.record);
  const std::vector<LaunchSpan> copies = spans_of_copies(report);
  const auto run = static_cast<UInt128>(report.record.duration().count);
  const UInt128 resident = time_of_any(kernels);
  if (run == 0 || resident > run - std::min(run, resident)) return std::nullopt;
  const Terms& terms = report.device.terms;
  const std::string nobody =
      fmt::format("no {} is resident for {} of the run", terms.thread, share_words(percent_share(run - resident, run)));
  const UInt128 copying = time_alone(copies, kernels);
  if (copying * 2 >= run - resident)
    return Finding{
        FindingKind::copies,
        fmt::format("{}. For {} of the run, only copies run.", nobody, share_words(percent_share(copying, run))),
        percent_share(run - resident, run)};
  const Gap gap = longest_gap(report);
  if (gap.waited == 0) return Finding{FindingKind::empty, nobody + ".", percent_share(run - resident, run)};
  return Finding{gap.kind, fmt::format("{}, mostly while {}.", nobody, gap.words), percent_share(run - resident, run)};
}

std::optional<Finding> small_finding(const RunReport& report) {
  const Kernel* kernel = longest_own_kernel(report.workload, report.record);
  const ComparedLaunches compared = compared_launches(report.workload, report.record);
  if (kernel == nullptr || compared.spans.empty()) return std::nullopt;
  const UInt128 per_wave = work_groups_per_wave(*kernel, report.device);
  const UInt128 groups = kernel->range.group_count();
  if (groups * 2 >= per_wave || has_step<Tiles>(kernel->program)) return std::nullopt;
  Int128 resident = 0;
  for (const LaunchSpan& span : compared.spans) {
    if (!span.may_use_all_cores) return std::nullopt;
    resident += span.resident_time;
  }
  const UInt128 available = time_of(compared.spans) * per_wave * kernel->threads_per_work_group();
  if (available == 0 || static_cast<UInt128>(resident) * 2 >= available) return std::nullopt;
  const Terms& terms = report.device.terms;
  const Ratio percent = percent_share(static_cast<UInt128>(resident), available);
  return Finding{
      FindingKind::small,
      fmt::format("a launch of {} has {}, but {} fit on the device at once. Of the {}s that fit, {} are "
                  "resident. {}.",
                  printable(kernel->name), counted(static_cast<std::uint64_t>(groups), terms.work_group),
                  static_cast<std::uint64_t>(per_wave), terms.thread, share_words(percent), busy_cores_words(report)),
      percent};
}

std::optional<Finding> idle_finding(const RunReport& report, std::uint64_t parts) {
  const Kernel* kernel = longest_own_kernel(report.workload, report.record);
  const std::optional<Ratio> idle = idle_cores(report);
  if (kernel == nullptr || !idle) return std::nullopt;
  const std::optional<Unused> unused = unused_of(report.device, report.workload, report.record);
  std::optional<Ratio> behind;  // the part of what fits that is unused after the last placement
  if (unused && (unused->has_wave || has_step<Tiles>(kernel->program)) && unused->run.available > 0)
    behind = percent_share(unused->last_wave.unused, unused->run.available);
  const bool differ = do_work_groups_differ(*kernel);
  const bool has_waves = kernel->range.group_count() > work_groups_per_wave(*kernel, report.device);
  if (behind && is_part(*behind, parts) && !differ && has_waves) return tail_finding(*kernel, *behind, report);
  constexpr std::uint64_t quarter = 4;  // of several kernels at once, of which it is not known what fits
  const bool is_idle = is_part(*idle, unused ? parts : quarter);
  if (!is_idle && !(behind && is_part(*behind, parts) && differ)) return std::nullopt;
  const Terms& terms = report.device.terms;
  if (!differ && has_waves && unused) return std::nullopt;  // work-groups are left: see plateau_finding()
  if (!differ && !unused && plateau_finding(report)) return std::nullopt;  // the same of several kernels at once
  if (differ || !unused)
    return Finding{
        FindingKind::imbalance,
        fmt::format("{} than others. {}: the {}s are idle for {} of their time.",
                    differ ? fmt::format("some {}s of {} take longer", terms.work_group, printable(kernel->name))
                           : "some " + terms.core + "s are busy for longer",
                    busy_cores_words(report), terms.core, share_words(*idle)),
        *idle};
  return Finding{FindingKind::placement,
                 fmt::format("the {}s are idle for {} of their time. {}.", terms.core, share_words(*idle),
                             busy_cores_words(report)),
                 *idle};
}

std::optional<Finding> limiter_finding(const RunReport& report) {
  const Kernel* kernel = longest_own_kernel(report.workload, report.record);
  if (kernel == nullptr) return std::nullopt;
  const Terms& terms = report.device.terms;
  const ResourceLimits limits = limits_of(*kernel, report.device);
  const auto limiters = limits.limiters();
  if (limiters.empty() || std::find(limiters.begin(), limiters.end(), Resource::threads) != limiters.end())
    return std::nullopt;
  const std::uint64_t fit = limits.work_groups_per_core();
  const std::uint64_t threads = fit * kernel->threads_per_work_group();
  const std::uint64_t contexts = report.device.contexts_per_core();
  if (threads >= contexts || kernel->range.group_count() <= UInt128{fit} * report.device.cores) return std::nullopt;
  std::string words;
  std::vector<std::string> lifted_by;
  for (const Resource limiter : limiters) {
    words += (words.empty() ? "" : " and ") + words_for(limiter, terms);
    lifted_by.emplace_back(limiter == Resource::slm                ? "slm_allocation_zero"
                           : limiter == Resource::work_group_slots ? "slots_unlimited"
                                                                   : "registers_unlimited");
  }
  const bool is_plural = limiters.size() > 1 || limiters.front() != Resource::slm;
  const Ratio percent = percent_share(UInt128{threads}, UInt128{contexts});
  return Finding{FindingKind::limiter,
                 fmt::format("{} {} {} of {} fit on one {}: {} of {} {}s, {}.", words, is_plural ? "let" : "lets",
                             counted(fit, terms.work_group), printable(kernel->name), terms.core, threads, contexts,
                             terms.context, share_words(percent)),
                 percent, lifted_by};
}

std::optional<Finding> slm_pool_finding(const RunReport& report) {
  const std::vector<LaunchRecord>& all = report.record.launches;
  const auto waited = [](const LaunchRecord& life) { return life.waited[WaitReason::slm_pool]; };
  const auto longest = std::max_element(
      all.begin(), all.end(), [&](const LaunchRecord& a, const LaunchRecord& b) { return waited(a) < waited(b); });
  const auto run = static_cast<UInt128>(report.record.duration().count);
  if (longest == all.end() || run == 0) return std::nullopt;
  constexpr std::uint64_t tenth = 10;
  const Ratio percent = percent_share(static_cast<UInt128>(waited(*longest).count), run);
  if (!is_part(percent, tenth)) return std::nullopt;
  const Launch& launch = report.workload.launches[static_cast<std::size_t>(longest - all.begin())];
  return Finding{FindingKind::placement,
                 fmt::format("{} waits {} of the run for {}.", printable(launch.name), share_words(percent),
                             words_for(WaitReason::slm_pool, report.device.terms)),
                 percent};
}

}  // namespace gdsim
