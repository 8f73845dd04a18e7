#pragma once

#include <gdsim/dispatch/choice/kernel_chooser.hpp>
#include <gdsim/dispatch/choice/launch_queue.hpp>

#include <map>
#include <vector>

// Rule, to the picosecond: the head.
//
// Launches that may not begin (`concurrent_kernels`) block no other launch. The head is the launch of the highest
// priority (if priorities count), then the deepest child, then one that has begun, then the first by (ready time,
// file).

namespace gdsim {

enum class ObeyPriorities : std::uint8_t { no, yes };

/// Chooses only the head of the queue, until all its threads are placed. Children go before other launches and, if
/// priorities are obeyed, higher priorities before lower ones: then a launch that has begun continues once no other
/// goes before it. While no launch may begin, one that has begun is chosen even if others go before it.
class HeadChooser : public KernelChooser {
 public:
  HeadChooser(const Workload& workload, ObeyPriorities obey);

  void arrive(LaunchId launch, SimTime ready) override;
  void begin_visit() override { is_blocked_ = false; }
  std::optional<LaunchId> next(MayBegin may_begin) override;
  /// The launch remains the head while it is prepared.
  void on_preparing(LaunchId launch) override {
    mark_begun(launch);
    on_blocked(launch);
  }
  void on_begun(LaunchId launch) override { mark_begun(launch); }
  void on_placed(LaunchId launch, std::uint64_t) override { mark_begun(launch); }
  void on_blocked(LaunchId) override { is_blocked_ = true; }
  bool on_exhausted(LaunchId launch, bool filled) override;

 private:
  /// Launches of lower rank go first.
  using Rank = std::uint64_t;
  Rank rank_of(LaunchId launch) const { return ranks_[index_of(launch)]; }
  static bool is_of_children(Rank rank);
  void mark_begun(LaunchId launch);
  void open(Rank rank);
  void close(Rank rank);

  std::vector<Rank> ranks_;             ///< by launch
  std::map<Rank, LaunchQueue> queues_;  ///< no queue is empty
  std::vector<Rank> open_;   ///< ranks whose head has begun, or is a child: chosen even while none may begin;
                             ///< rising
  bool is_blocked_ = false;  ///< in this turn
};

}  // namespace gdsim
