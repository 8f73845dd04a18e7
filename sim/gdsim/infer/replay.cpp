#include <gdsim/infer/replay.hpp>

#include <gdsim/base/containers.hpp>
#include <gdsim/base/diagnostic.hpp>
#include <gdsim/fit/core.hpp>

#include <algorithm>
#include <memory>
#include <optional>
#include <queue>
#include <tuple>
#include <utility>

namespace gdsim {
namespace {

/// The maximum number of changes, which bounds memory: each takes some 40 bytes.
constexpr std::size_t kMaxChanges = 20'000'000;
/// The maximum number of active kinds for which all cores are kept up to date. With more, a core is evaluated only when
/// a work-group of the kind is next.
constexpr std::size_t kMaxEager = 8;

/// The state of cores for work-groups of one kind, from its first work-group to its last.
struct KindOfGroup {
  explicit KindOfGroup(const Footprint& of_group) : footprint(&of_group) {}

  const Footprint* footprint;
  std::size_t left = 0;  ///< work-groups that are not placed
  IndexSet is_candidate{0};
  std::size_t candidates = 0;
  std::vector<std::int64_t> free_since;  ///< by core that is a candidate
  std::vector<std::uint32_t> listed;     ///< cores that may have to be evaluated at the next request
  std::vector<bool> is_listed;
  std::vector<bool> is_changed;          ///< listed cores that have to be evaluated
  std::vector<std::int64_t> changed_at;  ///< the times of their changes
};

class Replayer {
 public:
  Replayer(const LogSession& session, const LogFootprints& footprints, const ReplaySetting& setting)
      : session_(session),
        footprints_(footprints),
        setting_(setting),
        sets_(footprints.device.engines_per_core),
        partial_(session.cores) {
    const bool each = std::any_of(footprints.of_launch.begin(), footprints.of_launch.end(),
                                  [](const Footprint& footprint) { return footprint.thread != EngineNeed{}; });
    for (std::uint32_t core = 0; core < session.cores; ++core)
      cores_.emplace_back(footprints.device, each ? EngineDetail::each : EngineDetail::none);
    for (const PlacementEntry& entry : setting.policies.placements)
      placements_.push_back(entry.make(footprints.device));
    replay_.cores = session.cores;
    replay_.levels.resize(placements_.size());
    for (const Footprint& footprint : footprints.of_launch) {
      const auto same = [&](const KindOfGroup& kind) { return *kind.footprint == footprint; };
      const auto known = std::find_if(kinds_.begin(), kinds_.end(), same);
      kind_of_launch_.push_back(static_cast<std::uint32_t>(known - kinds_.begin()));
      if (known == kinds_.end()) kinds_.emplace_back(footprint);
    }
    for (std::size_t i = 0; i < session.launches.size(); ++i)
      kinds_[kind_of_launch_[i]].left += session.launches[i].groups.size();
    replay_.kinds = static_cast<std::uint32_t>(kinds_.size());
  }

  Replay run(std::uint32_t first_bit) {
    for (ReplayStep& step : steps_in_order(first_bit)) {
      release_until(step.start);
      request(step);
      KindOfGroup& kind = kinds_[step.kind];
      step.candidates = static_cast<std::uint32_t>(kind.candidates);
      if (setting_.time == LogTime::none && kind.candidates == 0) break;
      step.fits = kind.is_candidate.contains(step.core);
      step.free_since = kind.free_since[step.core];
      compare_with_previous(step);
      step.is_first_wave = !has_ended_;
      step.is_released_now = released_at_ == step.start;
      step.is_uncertain = setting_.noise > 0 && is_released_near(step);
      step.changes_end = static_cast<std::uint32_t>(replay_.changes.size());
      place(step);
      if (--kind.left == 0) std::erase(active_, step.kind);
      replay_.steps.push_back(step);
    }
    return std::move(replay_);
  }

 private:
  struct End {
    std::int64_t at;
    std::size_t order;  ///< position of its placement
    std::uint32_t core;
    std::uint32_t launch;
    std::uint32_t first_context;
    std::uint32_t threads;  ///< number of threads that end
    bool is_last;           ///< the work-group ends, too
    EngineSet set;
  };

  /// Puts the earliest end on top of a priority queue.
  struct EndsLater {
    bool operator()(const End& a, const End& b) const { return std::tie(a.at, a.order) > std::tie(b.at, b.order); }
  };

  /// A partially placed work-group.
  struct Partial {
    std::size_t order;
    std::uint32_t launch;
    std::uint32_t remaining;  ///< threads
    std::int64_t end;
  };

  std::vector<ReplayStep> steps_in_order(std::uint32_t bit) {
    std::vector<ReplayStep> steps;
    for (std::size_t i = 0; i < session_.launches.size(); ++i)
      for (const LoggedGroup& group : session_.launches[i].groups) {
        ReplayStep& step = steps.emplace_back();
        step.launch = static_cast<std::uint32_t>(i);
        step.kind = kind_of_launch_[i];
        step.core = group.core;
        step.threads = footprints_.of_launch[i].threads;
        step.number = group.number;
        step.grid = session_.launches[i].grid;
        step.start = group.start;
        step.bit = bit++;
        groups_.push_back(&group);
      }
    first_bit_ = steps.empty() ? 0 : steps.front().bit;
    const auto row_of = [&](const ReplayStep& step) {
      return session_.is_in_order ? groups_[step.bit - first_bit_]->row : 0;
    };
    std::stable_sort(steps.begin(), steps.end(), [&](const ReplayStep& a, const ReplayStep& b) {
      return std::pair(a.start, row_of(a)) < std::pair(b.start, row_of(b));
    });
    std::vector<std::uint64_t> dispatched(session_.launches.size(), 0);
    for (ReplayStep& step : steps) step.dispatched = dispatched[step.launch]++;
    return steps;
  }

  void release_until(std::int64_t now) {
    while (!pending_.empty() && pending_.top().at <= now) {
      const End end = pending_.top();
      pending_.pop();
      const Footprint& footprint = footprints_.of_launch[end.launch];
      Core& core = cores_[end.core];
      if (partial_[end.core] && partial_[end.core]->order == end.order) partial_[end.core].reset();
      core.release_threads(footprint, end.threads, SimTime{}, end.set, sets_);
      if (end.is_last) core.release_group(footprint, end.first_context);
      continue_partial(end.core);
      note_change(end.core, end.at);
      if (setting_.noise > 0) recent_.emplace_back(end.core, end.at);
      has_ended_ = true;
      released_at_ = end.at;
    }
  }

  /// Notes that the free resources of the core changed. The core is evaluated later, on demand. With many active kinds,
  /// only the last of several changes counts: an earlier one may have taken the resources that it frees.
  void note_change(std::uint32_t core, std::int64_t at) {
    for (const std::uint32_t number : active_) {
      KindOfGroup& kind = kinds_[number];
      if (!kind.is_changed[core] || active_.size() > kMaxEager) kind.changed_at[core] = at;
      kind.is_changed[core] = true;
      if (!kind.is_listed[core]) kind.listed.push_back(core);
      kind.is_listed[core] = true;
    }
  }

  /// Evaluates cores that changed for work-groups of the step's kind; all cores if the step is the first of its kind.
  void request(const ReplayStep& step) {
    KindOfGroup& kind = kinds_[step.kind];
    if (kind.free_since.empty()) {
      kind.is_candidate = IndexSet(session_.cores);
      kind.free_since.assign(session_.cores, 0);
      kind.changed_at.assign(session_.cores, 0);
      kind.is_listed.assign(session_.cores, false);
      kind.is_changed.assign(session_.cores, false);
      active_.push_back(step.kind);
      for (std::uint32_t core = 0; core < session_.cores; ++core) evaluate(step.kind, core, step.start);
    }
    for (const std::uint32_t core : kind.listed) {
      if (kind.is_changed[core]) evaluate(step.kind, core, kind.changed_at[core]);
      kind.is_listed[core] = false;
    }
    kind.listed.clear();
  }

  void evaluate(std::uint32_t number, std::uint32_t core, std::int64_t at) {
    KindOfGroup& kind = kinds_[number];
    kind.is_changed[core] = false;
    const bool fits = !partial_[core] && !cores_[core].refusal(*kind.footprint, setting_.admission);
    const bool did_fit = kind.is_candidate.contains(core);
    if (!fits && !did_fit) return;
    if (fits && !did_fit) kind.free_since[core] = at;
    if (did_fit) --kind.candidates;
    kind.is_candidate.erase(core);
    if (fits) kind.is_candidate.insert(core);
    kind.candidates += fits ? 1U : 0U;
    replay_.changes.push_back({core, number, fits});
    if (replay_.changes.size() > kMaxChanges)
      throw InputError(session_.name +
                       ": launches of different size alternate too often to be replayed; leave some out");
    for (std::size_t i = 0; i < placements_.size(); ++i)
      replay_.levels[i].push_back(fits ? static_cast<std::uint32_t>(placements_[i]->cost(cores_[core], *kind.footprint))
                                       : 0);
  }

  /// Returns true if another core was or will be released near the step, within the noise of the log. `recent_` keeps
  /// the releases near the step.
  bool is_released_near(const ReplayStep& step) {
    std::erase_if(recent_, [&](const auto& one) { return one.second < step.start - setting_.noise; });
    const bool before =
        std::any_of(recent_.begin(), recent_.end(), [&](const auto& one) { return one.first != step.core; });
    const bool behind = !pending_.empty() && pending_.top().at <= step.start + setting_.noise;
    return before || behind;
  }

  void compare_with_previous(ReplayStep& step) const {
    if (replay_.steps.empty()) return;
    const ReplayStep& before = replay_.steps.back();
    step.continues_launch = before.launch == step.launch;
    step.repeats_core = before.core == step.core;
    step.previous_fits = kinds_[step.kind].is_candidate.contains(before.core);
  }

  void place(const ReplayStep& step) {
    if (!step.fits) return;  // impossible by the known facts: it holds nothing
    const Footprint& footprint = footprints_.of_launch[step.launch];
    Core& core = cores_[step.core];
    End end{};
    const std::uint32_t threads = std::min(core.thread_capacity(footprint), footprint.threads);
    end.first_context = core.take_group(footprint);
    end.set = core.take_threads(footprint, threads, SimTime{}, sets_);
    end.core = step.core;
    end.launch = step.launch;
    end.order = replay_.steps.size();
    if (threads < footprint.threads)
      partial_[step.core] =
          Partial{end.order, step.launch, footprint.threads - threads, groups_[step.bit - first_bit_]->end};
    // Now, before a release there: the time since when the core has room depends on it.
    if (active_.size() > kMaxEager) note_change(step.core, step.start);
    for (const std::uint32_t kind : active_)
      if (active_.size() <= kMaxEager || kind == step.kind) evaluate(kind, step.core, step.start);
    if (setting_.time != LogTime::none) await(end, *groups_[step.bit - first_bit_], threads);
  }

  /// Places the remainder of a partially placed work-group, which goes first. If the log has it end before, it is never
  /// placed.
  void continue_partial(std::uint32_t at) {
    auto& partial = partial_[at];
    if (!partial) return;
    const Footprint& footprint = footprints_.of_launch[partial->launch];
    Core& core = cores_[at];
    const std::uint32_t threads = std::min(core.thread_capacity(footprint), partial->remaining);
    if (threads == 0) return;
    End end{};
    end.at = partial->end + setting_.recovery;
    end.order = partial->order;
    end.core = at;
    end.launch = partial->launch;
    end.threads = threads;
    end.set = core.take_threads(footprint, threads, SimTime{}, sets_);
    pending_.push(end);
    partial->remaining -= threads;
    if (partial->remaining == 0) partial.reset();
  }

  /// Threads end one by one if the log has their ends and the device releases them separately.
  void await(End end, const LoggedGroup& group, std::uint32_t threads) {
    end.threads = threads;
    end.is_last = true;
    end.at = group.end + setting_.recovery;
    const bool one_by_one = group.thread_ends.size() == threads && footprints_.device.release == Release::thread &&
                            footprints_.device.context_allocation == ContextAllocation::counted;
    if (!one_by_one) return pending_.push(end);
    std::vector<std::int64_t> ends = group.thread_ends;
    std::sort(ends.begin(), ends.end());
    const EngineSet all = end.set;
    end.threads = 1;
    for (std::size_t i = 0; i < ends.size(); ++i) {
      end.is_last = i + 1 == ends.size();
      end.at = ends[i] + setting_.recovery;
      end.set = end.is_last ? all : sets_.deal(all, 1);
      pending_.push(end);
    }
  }

  const LogSession& session_;
  const LogFootprints& footprints_;
  const ReplaySetting& setting_;
  std::vector<Core> cores_;
  EngineSets sets_;
  std::vector<std::unique_ptr<Placement>> placements_;
  std::priority_queue<End, std::vector<End>, EndsLater> pending_;
  std::vector<const LoggedGroup*> groups_;  ///< by bit, from first_bit_ on
  std::uint32_t first_bit_ = 0;
  std::vector<KindOfGroup> kinds_;
  std::vector<std::uint32_t> kind_of_launch_;
  std::vector<std::uint32_t> active_;                           ///< kinds between their first and their last work-group
  std::vector<std::pair<std::uint32_t, std::int64_t>> recent_;  ///< releases within the noise, and their times
  bool has_ended_ = false;
  std::optional<std::int64_t> released_at_;      ///< the last instant of a release
  std::vector<std::optional<Partial>> partial_;  ///< by core
  Replay replay_;
};

}  // namespace

Replay replay(const LogSession& session, const LogFootprints& footprints, const ReplaySetting& setting,
              std::uint32_t first_bit) {
  return Replayer(session, footprints, setting).run(first_bit);
}

}  // namespace gdsim
