#include <gdsim/analysis/collective_kernels.hpp>
#include <gdsim/analysis/findings/findings.hpp>
#include <gdsim/analysis/words.hpp>
#include <gdsim/base/text.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>

// Findings on what is busy, and on what threads wait for while they are resident.

namespace gdsim {
namespace {

/// The percentage of its peak from which a resource decides the duration.
constexpr std::uint64_t kNear = 80;

bool is_at_least(const Ratio& percent, std::uint64_t bound) { return percent.numerator >= percent.denominator * bound; }

/// The time of threads, of which what collectives wait for others is not counted at barriers.
struct ThreadTime {
  TimeUse use;
  Int128 exchanging = 0;
  Int128 all = 0;
};

ThreadTime thread_time(const RunReport& report) {
  ThreadTime time;
  for (const CoreTimeUse& core_use : report.record.time_use) time.use += core_use.use;
  time.all = time.use.sum();
  time.exchanging = exchange_time(report.workload, report.record.time_use);
  time.use.add(Activity::barrier, -time.exchanging);
  return time;
}

/// Returns true if the part is at least one of `parts` of the whole, which is above 0.
bool is_part(Int128 part, Int128 whole, std::int64_t parts) { return whole > 0 && part * Int128{parts} >= whole; }

/// `the fp32 pipe is at 92.1 % of its peak`
std::string words_for_peak(const NearestPeak& peak, const SpeedOfLight& speed, const Terms& terms) {
  const std::string share = share_words(peak.percent);
  if (peak.name == "issue slots") return "the issue slots are at " + share + " of their peak";
  if (peak.name == "L1") return "L1 and " + terms.slm + " are at " + share + " of their peak";
  if (peak.name == "atomics") return "global atomics to the same address are at " + share + " of their peak";
  if (peak.name == "copy engines") return "the copy engines are busy for " + share + " of the run";
  if (peak.name == "links") return "links transfer data for " + share + " of the run";
  const bool is_pipe = std::any_of(speed.pipes.begin(), speed.pipes.end(),
                                   [&](const ResourceUse& pipe) { return pipe.name == peak.name; });
  if (is_pipe) return "the " + peak.name + " pipe is at " + share + " of its peak";
  return peak.name + " is at " + share + " of its peak bandwidth";
}

/// Returns the memory level or pipe that is the nearest to its peak after `nearest`, if it is at 80 % or more, too.
std::optional<NearestPeak> next_peak(const SpeedOfLight& speed, const NearestPeak& nearest) {
  SpeedOfLight others;
  others.memory = speed.memory;
  others.pipes = speed.pipes;
  for (std::vector<ResourceUse>* uses : {&others.memory, &others.pipes})
    std::erase_if(*uses, [&](const ResourceUse& use) { return use.name == nearest.name; });
  const auto next = nearest_to_peak(others);
  return next && is_at_least(next->percent, kNear) ? next : std::nullopt;
}

/// Returns true if a loop of the kernel loads tiles for all threads of a work-group, and no tile stays in a cache.
bool may_load_tiles_again(const Kernel& kernel) {
  return !kernel.working_set && !kernel.shared_working_set &&
         has_step_where<Loop>(kernel.program, [](const Loop& loop) {
           return has_step<Memory>(loop.body) && has_step<Barrier>(loop.body);
         });
}

/// What a user may have to add to the scenario if the last level of memory, of several, is the bottleneck.
std::string words_for_reuse(const RunReport& report, const NearestPeak& peak) {
  const auto& memory = report.device.memory;
  const auto& kernels = report.workload.kernels;
  if (!memory || memory->levels.size() < 2 || memory->levels.back().name != peak.name) return "";
  const auto kernel = std::find_if(kernels.begin(), kernels.end(), may_load_tiles_again);
  if (kernel == kernels.end()) return "";
  return fmt::format(" `shared_working_set` is not set, so no {} of {} finds in a cache what another has loaded.",
                     report.device.terms.work_group, printable(kernel->name));
}

/// Words for what the threads spend most of the rest of their time on: those that others wait for at a barrier.
std::string words_for_late_ones(const ThreadTime& time, const Terms& terms) {
  constexpr std::array kinds{Activity::executing, Activity::issue, Activity::memory, Activity::slm, Activity::access};
  const Activity most = *std::max_element(
      kinds.begin(), kinds.end(), [&](Activity a, Activity b) { return time.use.spent_on(a) < time.use.spent_on(b); });
  switch (most) {
    case Activity::issue: return "wait for issue slots";
    case Activity::memory: return "wait for memory bandwidth";
    case Activity::slm: return "wait for " + terms.slm;
    case Activity::access: return "wait for data from memory";
    default: return "execute";
  }
}

}  // namespace

std::optional<Finding> roofline_finding(const RunReport& report, const SpeedOfLight& speed) {
  const std::optional<NearestPeak> peak = nearest_to_peak(speed);
  if (!peak || !is_at_least(peak->percent, kNear)) return std::nullopt;
  FindingKind kind = FindingKind::roofline;
  if (peak->name == "copy engines") kind = FindingKind::copies;
  if (peak->name == "links") kind = FindingKind::links;
  if (peak->name == "atomics") kind = FindingKind::atomics;
  const Terms& terms = report.device.terms;
  std::string words = words_for_peak(*peak, speed, terms);
  if (const auto next = next_peak(speed, *peak)) words += ", and " + words_for_peak(*next, speed, terms);
  return Finding{kind, words + "." + words_for_reuse(report, *peak), peak->percent};
}

std::optional<Finding> barrier_finding(const RunReport& report, std::int64_t parts) {
  const ThreadTime time = thread_time(report);
  const Terms& terms = report.device.terms;
  if (time.exchanging > time.use.spent_on(Activity::barrier) && is_part(time.exchanging, time.all, parts))
    return Finding{FindingKind::links,
                   fmt::format("{}s spend {} of their time in collectives, waiting for other devices and for links.",
                               terms.thread, share_words(percent_share(time.exchanging, time.all))),
                   percent_share(time.exchanging, time.all)};
  const Int128 waiting = time.use.spent_on(Activity::barrier);
  if (!is_part(waiting, time.all, parts)) return std::nullopt;
  return Finding{
      FindingKind::barrier,
      fmt::format("{}s spend {} of their time at barriers. Between barriers, {}s mostly {}.", terms.thread,
                  share_words(percent_share(waiting, time.all)), terms.thread, words_for_late_ones(time, terms)),
      percent_share(waiting, time.all)};
}

std::optional<Finding> atomics_finding(const RunReport& report, const SpeedOfLight& speed) {
  constexpr std::uint64_t half = 50;
  if (!speed.atomics || !is_at_least(*speed.atomics, half)) return std::nullopt;
  return Finding{FindingKind::atomics,
                 fmt::format("atomic accesses to the same address are serialized for {} of the time in which {}s "
                             "are resident.",
                             share_words(*speed.atomics), report.device.terms.thread),
                 *speed.atomics};
}

std::optional<Finding> wait_finding(const RunReport& report, const SpeedOfLight& speed, std::int64_t parts) {
  const ThreadTime time = thread_time(report);
  const Terms& terms = report.device.terms;
  const std::optional<NearestPeak> peak = nearest_to_peak(speed);
  const std::string busiest =
      peak ? ", while " + words_for_peak(*peak, speed, terms) + ". No resource is nearer to its peak" : std::string();
  struct Candidate {
    FindingKind kind;
    Int128 time;
    std::string words;
  };
  const Int128 memory = time.use.spent_on(Activity::memory) + time.use.spent_on(Activity::access);
  const std::array<Candidate, 5> waits{
      Candidate{FindingKind::latency, memory, "waiting for the memory" + busiest},
      Candidate{FindingKind::latency, time.use.spent_on(Activity::issue),
                "waiting for an issue slot or a busy pipe" + busiest},
      Candidate{FindingKind::latency, time.use.spent_on(Activity::slm),
                "waiting for the " + words_for_slm_pipe(terms, report.workload) + busiest},
      Candidate{FindingKind::imbalance, time.use.spent_on(Activity::held),
                fmt::format("holding a {} after their end, because other {}s of their {} still run", terms.context,
                            terms.thread, terms.work_group)},
      Candidate{FindingKind::latency, time.use.spent_on(Activity::child),
                "waiting for kernels that they have launched"}};
  const Candidate& most = *std::max_element(waits.begin(), waits.end(),
                                            [](const Candidate& a, const Candidate& b) { return a.time < b.time; });
  if (!is_part(most.time, time.all, parts)) return std::nullopt;
  return Finding{most.kind,
                 fmt::format("{}s spend {} of their time {}.", terms.thread,
                             share_words(percent_share(most.time, time.all)), most.words),
                 percent_share(most.time, time.all)};
}

}  // namespace gdsim
