#include "support/builders.hpp"

#include <gdsim/dispatch/choice/choosers.hpp>
#include <gdsim/dispatch/choice/launch_progress.hpp>

#include <rapidcheck/catch.h>
#include <catch2/catch.hpp>

#include <algorithm>
#include <set>
#include <tuple>

// Choosers that visit each kind once in a turn choose what a plain search among all launches finds.

using namespace gdsim;
using namespace gdsim::testing;

namespace {

/// Searches all waiting launches every time.
class PlainSearch {
 public:
  PlainSearch(const DispatchRules& rules, const Workload& workload, const CoreSelections& cores)
      : rules_(rules),
        kinds_(classify_by_kernel_and_cores(workload, cores)),
        depths_(child_depths(workload)),
        ready_(kinds_.launch_count()) {
    for (const Launch& launch : workload.launches)
      has_edges_.push_back(workload.kernel_of(launch).edge_groups == EdgeGroups::smaller);
  }

  void arrive(LaunchId launch, SimTime ready) {
    ready_[index_of(launch)] = ready;
    waiting_.insert(launch);
  }
  void begin_visit() { blocked_.clear(); }
  void on_blocked(LaunchId launch) { blocked_.insert(group_of(launch)); }
  void on_exhausted(LaunchId launch) { waiting_.erase(launch); }
  void on_left_cores(LaunchId launch) { owners_.erase(launch); }
  /// Launches that hold cores.
  const std::set<LaunchId>& owners() const { return owners_; }
  void on_placed(LaunchId launch) {
    begun_.insert(launch);
    owners_.insert(launch);
    last_ = position_of(launch);
  }

  std::optional<LaunchId> next(MayBegin may_begin) const {
    std::optional<std::pair<Rank, LaunchId>> best;
    for (const LaunchId launch : waiting_) {
      const bool is_open = begun_.contains(launch) || depths_[index_of(launch)] > 0;
      if (blocked_.contains(group_of(launch)) || (may_begin == MayBegin::no && !is_open) || stands_behind_kin(launch))
        continue;
      const std::pair found(rank_of(launch), launch);
      if (!best || found < *best) best = found;
    }
    if (!best) return std::nullopt;
    return best->second;
  }

 private:
  using Position = std::pair<SimTime, LaunchId>;
  using Rank = std::tuple<std::int64_t, Position>;

  Position position_of(LaunchId launch) const { return {ready_[index_of(launch)], launch}; }
  bool goes_round() const { return rules_.kernel_choice == KernelChoice::round_robin; }

  std::size_t group_of(LaunchId launch) const {
    const bool owns = rules_.core_sharing == CoreSharing::exclusive && owners_.contains(launch);
    const bool is_alone = goes_round() && (owns || has_edges_[index_of(launch)]);
    return is_alone ? kinds_.launch_count() + index_of(launch) : kinds_[launch];
  }
  /// Where blocked launches are skipped, launches of one kind do not overtake each other.
  bool stands_behind_kin(LaunchId launch) const {
    if (goes_round()) return false;
    const auto rank = [this](LaunchId id) { return std::tuple(!begun_.contains(id), position_of(id)); };
    return std::any_of(waiting_.begin(), waiting_.end(),
                       [&](LaunchId other) { return kinds_[other] == kinds_[launch] && rank(other) < rank(launch); });
  }
  Rank rank_of(LaunchId launch) const {
    const Position position = position_of(launch);
    if (goes_round()) return {last_ && position <= *last_ ? 1 : 0, position};
    return {-std::int64_t{depths_[index_of(launch)]}, position};
  }

  const DispatchRules& rules_;
  LaunchClasses kinds_;
  std::vector<std::uint32_t> depths_;
  std::vector<SimTime> ready_;
  std::vector<bool> has_edges_;  ///< its work-groups differ: another one may fit where one does not
  std::set<LaunchId> waiting_;
  std::set<LaunchId> begun_;
  std::set<LaunchId> owners_;
  std::set<std::size_t> blocked_;
  std::optional<Position> last_;
};

/// Its last work-group may be smaller than the others.
Kernel draw_kernel() {
  Kernel kernel = kernel_of(2, 2, {compute(ps(1))});
  if (*rc::gen::inRange(0, 3) > 0) return kernel;
  kernel.range.global[2] -= 8;
  kernel.edge_groups = EdgeGroups::smaller;
  return kernel;
}

/// Launches of a few kernels on a few selections of cores, some of them children of the first.
Workload draw_workload() {
  Workload workload;
  for (int i = *rc::gen::inRange(1, 5); i > 0; --i) workload.kernels.push_back(draw_kernel());
  for (int i = *rc::gen::inRange(1, 16); i > 0; --i) {
    Launch launch;
    launch.work = static_cast<KernelId>(*rc::gen::inRange<std::size_t>(0, workload.kernels.size()));
    if (*rc::gen::inRange(0, 4) == 0) launch.as_kernel().cores = {{core(1), core(1)}};
    if (!workload.launches.empty() && *rc::gen::inRange(0, 5) == 0)
      launch.as_kernel().parent = LaunchParent{LaunchId{0}, {}, {}};
    workload.launches.push_back(launch);
  }
  return workload;
}

/// Reports to both choosers what a dispatcher may have done with the chosen launch.
void report(KernelChooser& chooser, PlainSearch& plain, LaunchId launch, int answer) {
  if (answer < 4) {
    chooser.on_placed(launch, 1);
    plain.on_placed(launch);
  } else if (answer < 7) {
    chooser.on_blocked(launch);
    plain.on_blocked(launch);
  } else {
    chooser.on_exhausted(launch, true);
    plain.on_exhausted(launch);
  }
}

void compare(const DispatchRules& rules) {
  const Workload workload = draw_workload();
  const CoreSelections cores(workload, 2);
  const auto chooser = make_kernel_chooser(rules, workload, cores);
  PlainSearch plain(rules, workload, cores);
  std::uint32_t arrived = 0;
  for (int turn = 0; turn < 12; ++turn) {
    for (int more = *rc::gen::inRange(0, 4); more > 0 && arrived < workload.launches.size(); --more, ++arrived) {
      const SimTime ready = at(ps(turn / 2));
      chooser->arrive(launch(arrived), ready);
      plain.arrive(launch(arrived), ready);
    }
    chooser->begin_visit();
    plain.begin_visit();
    for (const LaunchId owner : std::set(plain.owners())) {
      if (*rc::gen::inRange(0, 3) > 0) continue;
      chooser->on_left_cores(owner);
      plain.on_left_cores(owner);
    }
    // Within a turn launches may begin, up to a limit.
    const int may_end = *rc::gen::inRange(0, 10);
    for (int ask = 0; ask < 20; ++ask) {
      const MayBegin may_begin = ask < may_end ? MayBegin::yes : MayBegin::no;
      const auto next = chooser->next(may_begin);
      RC_ASSERT(next == plain.next(may_begin));
      if (!next) break;
      report(*chooser, plain, *next, *rc::gen::inRange(0, 8));
    }
  }
}

}  // namespace

TEST_CASE("skip_blocked chooses what a search among all launches finds") {
  rc::prop("as by a plain search", [] { compare({"fill_first", {}, {}, {}, KernelChoice::skip_blocked}); });
}

TEST_CASE("round_robin chooses what a search among all launches finds") {
  rc::prop("as by a plain search", [](bool is_exclusive) {
    DispatchRules rules{"fill_first", {}, {}, {}, KernelChoice::round_robin};
    if (is_exclusive) rules.core_sharing = CoreSharing::exclusive;
    compare(rules);
  });
}
