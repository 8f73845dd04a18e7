#include <gdsim/probe_model/model_figures.hpp>

#include <gdsim/base/text.hpp>
#include <gdsim/dispatch/placement/placements.hpp>
#include <gdsim/infer/infer_rules.hpp>
#include <gdsim/infer/inference.hpp>
#include <gdsim/infer/log/placement_log.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <utility>

namespace gdsim {
namespace {

/// More groups add no information, and take longer.
constexpr std::size_t kMaxGroups = 40'000;

/// Launches for inferring rules, those of drawn lengths first: their ends come one by one.
std::vector<const ProbedRun*> chosen_runs(const std::vector<ProbedRun>& runs) {
  constexpr std::array order{"drawn", "threads", "slots", "shared", "registers"};
  std::vector<const ProbedRun*> chosen;
  std::size_t groups = 0;
  for (const char* experiment : order)
    for (const ProbedRun& run : runs) {
      if (run.experiment != experiment || run.launches.size() != 1) continue;
      if (groups + run.launches.front().blocks.size() > kMaxGroups) continue;
      groups += run.launches.front().blocks.size();
      chosen.push_back(&run);
    }
  return chosen;
}

/// The time until slots are free again, and its maximum error; nothing is known without samples.
struct SlotRecovery {
  std::int64_t time = 0;
  std::int64_t noise = 0;
};

/// From the samples of all launches: their median, and twice the width of the middle half, but at most the error of
/// clocks.
std::optional<SlotRecovery> slot_recovery(const std::vector<ProbedRun>& runs) {
  const auto samples = summary_of(dispatch_samples(runs).recovery);
  if (!samples) return std::nullopt;
  return SlotRecovery{samples->median, std::min(2 * (samples->high - samples->low), kClockNoise)};
}

/// If an end precedes the reuse of its slot by the recovery, within the error of clocks, it is moved to lie there
/// exactly. Otherwise noise would make slots of other cores free before it.
void put_ends_exactly(std::vector<LoggedGroup>& groups, std::uint32_t slots, const SlotRecovery& recovery) {
  std::map<std::uint32_t, std::vector<LoggedGroup*>> by_core;
  for (LoggedGroup& group : groups) by_core[group.core].push_back(&group);
  for (auto& [core, starts] : by_core) {
    std::vector<LoggedGroup*> ends = starts;
    const auto by = [](std::int64_t LoggedGroup::*time) {
      return [time](const LoggedGroup* a, const LoggedGroup* b) { return a->*time < b->*time; };
    };
    std::stable_sort(starts.begin(), starts.end(), by(&LoggedGroup::start));
    std::stable_sort(ends.begin(), ends.end(), by(&LoggedGroup::end));
    for (std::size_t i = slots; i < starts.size(); ++i) {
      LoggedGroup& ended = *ends[i - slots];
      const std::int64_t off = starts[i]->start - ended.end - recovery.time;
      if (-kClockNoise <= off && off <= recovery.noise)
        ended.end = std::max(ended.start, starts[i]->start - recovery.time);
    }
  }
}

LogSession session_of(const ProbedRun& run, const CoreNumbers& numbers, const std::optional<SlotRecovery>& recovery) {
  const ProbedLaunch& launch = run.launches.front();
  LoggedLaunch logged;
  logged.name = run.title();
  logged.work_items = launch.threads;
  logged.registers = launch.registers;
  logged.shared = Bytes{launch.shared_bytes};
  logged.grid = launch.blocks.size();
  logged.mark = launch.mark;
  std::int64_t latest = 0;
  for (std::size_t i = 0; i < launch.blocks.size(); ++i) {
    const ProbedBlock& block = launch.blocks[i];
    const std::int64_t start = block.start < latest && latest - block.start <= kClockNoise ? latest : block.start;
    latest = std::max(latest, start);
    logged.groups.push_back(
        {i, numbers.number_of(block), start, std::max(start, block.end), static_cast<std::uint32_t>(i + 1), {}});
  }
  if (recovery && launch.has_cycles && launch.blocks_per_core > 0)
    put_ends_exactly(logged.groups, launch.blocks_per_core, *recovery);
  LogSession session;
  session.name = run.title();
  session.cores = numbers.count();
  session.is_in_order = false;
  session.launches.push_back(std::move(logged));
  return session;
}

/// Of rules that a log does not distinguish, those with the family's placement; else the first.
const RuleCandidate& preferred(const Inference& inference, const DeviceSpec& family) {
  const std::string placement = "{placement: " + family.dispatch.placement;
  for (const RuleCandidate& candidate : inference.candidates)
    if (candidate.fits && to_yaml(candidate.rules).starts_with(placement)) return candidate;
  return inference.candidates.front();
}

void add_times(const std::vector<ProbedRun>& runs, const RuleKeys* rules, ValueList& values) {
  std::vector<ProbedRun> drawn;
  std::vector<ProbedRun> all;
  for (const ProbedRun& run : runs) {
    if (run.experiment == "drawn") drawn.push_back(run);
    if (run.experiment == "drawn" || run.experiment == "threads" || run.experiment == "shared") all.push_back(run);
  }
  const auto dispatchers = [&]() -> const RuleKey* {
    if (rules == nullptr) return nullptr;
    for (const RuleKey& key : *rules)
      if (key.key == "interval")
        for (const RuleKey& inner : key.keys)
          if (inner.key == "dispatchers") return &key;
    return nullptr;
  }();
  if (dispatchers != nullptr) {
    values.add_measured("dispatch.interval", value_of(*dispatchers).line(), all.size(),
                        "by infer: the median time between placements of one dispatcher");
  } else if (const auto interval = summary_of(dispatch_samples(all).interval)) {
    values.add_measured(
        "dispatch.interval.per_work_group", *interval, "cycles",
        "mean time between the starts of blocks that begin before any ends, of each launch; aligned clocks");
  } else {
    values.add_unknown(
        "dispatch.interval",
        "no launch has four blocks that start before one ends, further apart than aligned clocks may be off");
  }
  const std::vector<std::int64_t> of_drawn = dispatch_samples(drawn).recovery;
  const bool has_drawn = of_drawn.size() >= 100;
  if (const auto recovery = summary_of(has_drawn ? of_drawn : dispatch_samples(all).recovery)) {
    values.add_measured(
        "dispatch.recovery", *recovery, "cycles",
        fmt::format("from a block's last reading of the clock to the first one of the block that takes its "
                    "slot, on a full core, {}; it holds the log's store and the block's exit",
                    has_drawn ? "blocks of drawn length" : "blocks of equal length"));
  } else {
    values.add_unknown("dispatch.recovery", "no core was full and reused on aligned clocks");
  }
}

}  // namespace

CoreNumbers::CoreNumbers(const std::vector<ProbedRun>& runs) {
  std::set<std::pair<std::uint32_t, std::uint32_t>> seen;
  for (const ProbedRun& run : runs)
    for (const ProbedLaunch& launch : run.launches)
      for (const ProbedBlock& block : launch.blocks) seen.emplace(block.group, block.core);
  numbers_.assign(seen.begin(), seen.end());
}

std::uint32_t CoreNumbers::number_of(const ProbedBlock& block) const {
  const auto found = std::lower_bound(numbers_.begin(), numbers_.end(), std::pair(block.group, block.core));
  return static_cast<std::uint32_t>(found - numbers_.begin());
}

std::vector<std::uint32_t> CoreNumbers::group_sizes() const {
  std::vector<std::uint32_t> sizes;
  for (std::size_t i = 0; i < numbers_.size(); ++i) {
    if (i == 0 || numbers_[i].first != numbers_[i - 1].first) sizes.push_back(0);
    ++sizes.back();
  }
  return sizes.size() > 1 ? sizes : std::vector<std::uint32_t>{};
}

std::optional<Inference> infer_dispatch(const std::vector<ProbedRun>& runs, const DeviceSpec& device, Jobs jobs,
                                        std::vector<std::string>& notes) {
  const CoreNumbers numbers(runs);
  const std::optional<SlotRecovery> recovery = slot_recovery(runs);
  PlacementLog log;
  log.core_column = "core";
  std::optional<bool> has_cycles;
  for (const ProbedRun* run : chosen_runs(runs)) {
    if (has_cycles && *has_cycles != run->launches.front().has_cycles) continue;
    has_cycles = run->launches.front().has_cycles;
    log.sessions.push_back(session_of(*run, numbers, recovery));
  }
  if (log.sessions.empty()) return std::nullopt;
  log.time = *has_cycles ? LogTime::ticks : LogTime::picoseconds;
  if (recovery && *has_cycles) {
    log.recovery = recovery->time;
    log.noise = recovery->noise;
  }
  const SourceText source("the blocks of the probe", "");
  Diagnostics problems;
  Inference inference = infer_rules({source, std::move(log), device, built_in_placements(), jobs}, problems);
  if (problems.empty()) return inference;
  notes.push_back("infer cannot use the blocks: " + readable(problems.problems().front().message));
  return std::nullopt;
}

void add_dispatch(const std::optional<Inference>& inference, const std::vector<ProbedRun>& runs,
                  const DeviceSpec& family, ValueList& values, std::vector<std::string>& notes) {
  const RuleKeys* rules = nullptr;
  if (!inference) {
    values.add_unknown("dispatch.placement",
                       "there are no blocks of launches alone on the device, or none that can be used");
  } else if (inference->verdict == Verdict::none) {
    values.add_unknown("dispatch.placement", readable(inference->sentence));
  } else {
    const RuleCandidate& best = preferred(*inference, family);
    rules = &best.rules;
    std::string how = fmt::format(
        "by infer, of {} combinations of rules: {} of {} launches exactly, {} of the blocks on "
        "the right core, {} by chance",
        inference->tried, best.launches_exact, best.launches, percent_text(best.share), percent_text(best.chance));
    if (inference->verdict == Verdict::several)
      how += "; other rules fit as well, the family's were taken if among them";
    for (const RuleKey& key : best.rules) {
      if (key.key == "interval" || key.key == "recovery") continue;
      values.add_measured("dispatch." + key.key, value_of(key).line(), inference->judged, how);
    }
    if (best.groups > 0)
      notes.push_back(fmt::format("the rules need {} groups of cores, which the family does not name", best.groups));
  }
  add_times(runs, rules, values);
}

}  // namespace gdsim
