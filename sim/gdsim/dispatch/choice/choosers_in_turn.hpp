#pragma once

#include <gdsim/base/ids.hpp>
#include <gdsim/base/quantity.hpp>
#include <gdsim/dispatch/choice/kernel_chooser.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace gdsim {

/// A launch with its ready time. A turn names launches in this order.
using TurnPosition = std::pair<SimTime, LaunchId>;

// Rule, to the picosecond: round robin.
//
// Launches are tried cyclically by (ready time, file), beginning after the launch that placed a work-group, or its
// first threads, last. Children do not go first.

/// Chooses ready launches in turn, for one work-group each, by (ready time, order in the file). A turn begins after the
/// launch that placed a work-group last, and skips launches that cannot place one.
class RoundRobinChooser : public KernelChooser {
 public:
  RoundRobinChooser(const Workload& workload, const CoreSelections& cores, CoreSharing sharing);

  void arrive(LaunchId launch, SimTime ready) override;
  void begin_visit() override;
  std::optional<LaunchId> next(MayBegin may_begin) override;
  /// Removes the launch from the round until on_prepared(). The round continues after it.
  void on_preparing(LaunchId launch) override { leave_round(launch); }
  void on_prepared(LaunchId launch) override;
  void on_begun(LaunchId launch) override;
  void on_placed(LaunchId launch, std::uint64_t left) override;
  void on_blocked(LaunchId launch) override { class_of(launch).blocked_in = visit_; }
  bool on_exhausted(LaunchId launch, bool filled) override;
  void on_left_cores(LaunchId launch) override;

 private:
  /// The waiting launches of a class. The next one in the round is offered.
  struct OfferQueue {
    std::set<TurnPosition> positions;
    std::optional<TurnPosition> offered;
  };
  /// Launches that are blocked together, because their next work-groups have the same needs. A launch that owns cores
  /// has its own class, because it may fit where others do not; there are at most as many such classes as cores. Each
  /// launch of a kernel with work-groups of different sizes has its own class, too: a smaller one may fit where others
  /// do not.
  struct RefusalClass {
    OfferQueue unbegun;
    OfferQueue open;               ///< begun launches, and children, which may always begin
    std::uint64_t blocked_in = 0;  ///< the last visit in which it was blocked
    std::uint64_t passed_in = 0;   ///< the last visit in which it was passed
  };
  enum class Which : std::uint8_t { unbegun, open };
  struct Offer {
    std::uint32_t number = 0;  ///< number of the class
    Which queue{};
  };
  using Offers = std::map<TurnPosition, Offer>;

  TurnPosition position_of(LaunchId launch) const { return {ready_[index_of(launch)], launch}; }
  Offers::iterator behind_last() { return last_ ? offers_.upper_bound(*last_) : offers_.begin(); }
  RefusalClass& class_of(LaunchId launch) { return classes_[class_of_[index_of(launch)]]; }
  void give_own_class(LaunchId launch);
  void insert(std::uint32_t number, Which queue, const TurnPosition& position);
  void remove(LaunchId launch);
  void leave_round(LaunchId launch);
  void renew_offer(std::uint32_t number, Which which);
  void pass(std::uint32_t number);
  bool may_have_passed(const OfferQueue& queue) const;

  CoreSharing sharing_;
  std::vector<std::uint32_t> depths_;  ///< by launch
  LaunchClasses kind_of_;
  std::vector<std::uint32_t> class_of_;  ///< by launch: of its kind, or its own
  std::vector<SimTime> ready_;           ///< by launch that waits
  std::vector<RefusalClass> classes_;    ///< kinds, then those of launches that hold cores of their own
  std::vector<std::uint32_t> unused_;    ///< free numbers of the latter
  /// The offer of each queue: at the beginning of a turn, its first position cyclically after last_. Offers between
  /// last_ and the iterator are not used again in this visit.
  Offers offers_;
  Offers::iterator at_ = offers_.begin();
  std::vector<std::uint32_t> passed_;           ///< classes that may have other offers in the next turn
  std::optional<TurnPosition> last_;            ///< position of the launch that placed a work-group last
  std::optional<TurnPosition> renewed_behind_;  ///< last_ at the beginning of the last turn
  std::uint64_t placements_ = 0;                ///< placements since that beginning
  std::uint64_t visit_ = 0;                     ///< number of the current visit
};

/// Adapts a caller's OwnKernelChoice to KernelChooser. Launches leave the choice with their last work-group.
class OwnKernelChoiceAdapter : public KernelChooser {
 public:
  /// `workload` must outlive this.
  OwnKernelChoiceAdapter(const OwnKernelChoice& own, const Workload& workload);

  void arrive(LaunchId launch, SimTime ready) override;
  void begin_visit() override { ++visit_; }
  /// Names launches without a further work-group first, so that they leave the choice, without calling the policy.
  /// Throws InputError if the position is none of those that are offered.
  std::optional<LaunchId> next(MayBegin may_begin) override;
  void on_preparing(LaunchId launch) override;
  void on_prepared(LaunchId launch) override { entry_of(launch).is_prepared = true; }
  void on_begun(LaunchId launch) override { entry_of(launch).has_begun = true; }
  void on_placed(LaunchId launch, std::uint64_t left) override;
  void on_blocked(LaunchId launch) override;
  bool on_exhausted(LaunchId launch, bool filled) override;

 private:
  /// A launch that waits.
  struct Entry {
    TurnPosition position;
    std::uint64_t left = 0;        ///< work-groups that are not dispatched
    std::uint64_t blocked_in = 0;  ///< the visit
    bool has_begun = false;
    bool is_prepared = true;  ///< its launch cost is paid, or does not run
  };

  Entry& entry_of(LaunchId launch);
  bool may_be_chosen(const Entry& entry, MayBegin may_begin) const;
  WaitingLaunch view_of(const Entry& entry) const;

  std::string name_;
  std::unique_ptr<OwnKernelChoice::Policy> policy_;
  const Workload* workload_;
  std::vector<Entry> waiting_;          ///< by (ready time, order in the file)
  std::uint64_t visit_ = 0;             ///< counts visits
  std::vector<WaitingLaunch> offered_;  ///< of next()
};

}  // namespace gdsim
