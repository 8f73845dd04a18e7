#pragma once

#include <gdsim/dispatch/choice/kernel_chooser.hpp>
#include <gdsim/dispatch/choice/launch_queue.hpp>

#include <compare>
#include <map>
#include <set>
#include <vector>

// Rule, to the picosecond: heads.
//
// Launches that may not begin (`concurrent_kernels`) block no other launch. The others that wait are ordered: the
// highest priority first (if priorities count), then the deepest child, then one that has begun, then by (ready time,
// file). A launch is a head if no launch before it in this order may use one of its cores: a launch never waits behind
// one whose cores are disjoint from its own. Only heads are named, each until all its threads are placed.
//
// Heads take turns. Of those that are not blocked, the one is named on whose cores, as its launches are restricted to
// them, a launch was placed the longest ago, those without any first; of equals, the first in the order above.

namespace gdsim {

enum class ObeyPriorities : std::uint8_t { no, yes };

/// Chooses only heads, each until all its threads are placed. Children go before other launches and, if priorities are
/// obeyed, higher priorities before lower ones: then a launch that has begun continues once no other goes before it.
/// While no launch may begin, one that has begun is chosen even if others go before it.
class HeadChooser : public KernelChooser {
 public:
  /// `cores` must outlive this.
  HeadChooser(const Workload& workload, const CoreSelections& cores, ObeyPriorities obey);

  void arrive(LaunchId launch, SimTime ready) override;
  void begin_visit() override { ++visit_; }
  std::optional<LaunchId> next(MayBegin may_begin) override;
  /// The launch remains a head while it is prepared.
  void on_preparing(LaunchId launch) override {
    line_of(launch).mark_begun(rank_of(launch));
    on_blocked(launch);
  }
  void on_begun(LaunchId launch) override { line_of(launch).mark_begun(rank_of(launch)); }
  void on_placed(LaunchId launch, std::uint64_t) override {
    line_of(launch).mark_begun(rank_of(launch));
    line_of(launch).last_placement = ++placements_;
  }
  void on_blocked(LaunchId launch) override { line_of(launch).blocked_in = visit_; }
  bool on_exhausted(LaunchId launch, bool filled) override;

 private:
  /// Launches of lower rank go first.
  using Rank = std::uint64_t;
  /// The position of a launch in the order of all.
  struct Position {
    Rank rank = 0;
    bool is_unbegun = false;
    SimTime ready;
    LaunchId launch{};
    friend auto operator<=>(const Position&, const Position&) = default;
  };
  /// The launches that wait for the same cores.
  class Line {
   public:
    void arrive(LaunchId launch, Rank rank, SimTime ready);
    bool empty() const { return queues_.empty(); }
    /// Returns the first of its launches that may place a work-group, or nullopt if there is none.
    std::optional<Position> first(MayBegin may_begin) const;
    /// Must be called when the first launch of the rank has begun.
    void mark_begun(Rank rank);
    /// Removes the first launch of the rank.
    void pop(Rank rank);

    std::uint64_t blocked_in = 0;      ///< the last visit in which its head was blocked
    std::uint64_t last_placement = 0;  ///< the number of the last placement of one of its launches

   private:
    void open(Rank rank);
    void close(Rank rank);

    std::map<Rank, LaunchQueue> queues_;  ///< no queue is empty
    std::vector<Rank> open_;  ///< ranks whose first has begun, or is a child: named even while none may begin; rising
  };

  static bool is_of_children(Rank rank);
  Rank rank_of(LaunchId launch) const { return ranks_[index_of(launch)]; }
  Line& line_of(LaunchId launch) { return lines_[cores_.number_of(launch)]; }
  /// Returns the number of the line whose head is named, or nullopt if each is blocked or behind another one.
  std::optional<std::uint32_t> next_line(MayBegin may_begin);

  const CoreSelections& cores_;
  std::vector<Rank> ranks_;          ///< by launch
  std::vector<Line> lines_;          ///< by number of a selection of cores
  std::set<std::uint32_t> waiting_;  ///< lines that are not empty
  std::uint64_t visit_ = 0;          ///< counts visits
  std::uint64_t placements_ = 0;     ///< counts placements
  std::vector<Position> firsts_;     ///< of the lines, reused by next_line()
};

}  // namespace gdsim
