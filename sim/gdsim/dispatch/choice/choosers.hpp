#pragma once

#include <gdsim/base/ids.hpp>
#include <gdsim/base/quantity.hpp>
#include <gdsim/device/dispatch_rules.hpp>
#include <gdsim/dispatch/choice/launch_progress.hpp>
#include <gdsim/dispatch/shares/partitioning.hpp>
#include <gdsim/workload/workload.hpp>

#include <compare>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace gdsim {

/// The launches that may place a work-group now: any that is ready (`yes`), or only begun ones and children (`no`).
enum class MayBegin : std::uint8_t { no, yes };

/// Holds launches that are ready and not yet placed, and chooses the one that may place its next work-group. It places
/// nothing: the caller does, and reports the result.
class KernelChooser {
 public:
  virtual ~KernelChooser() = default;

  virtual void arrive(LaunchId launch, SimTime ready) = 0;
  /// Begins the visit of a dispatcher: blocked launches may be named again.
  virtual void begin_visit() = 0;
  /// Names the launch that may place a work-group. Returns nullopt if there is no other in this visit.
  virtual std::optional<LaunchId> next(MayBegin may_begin) = 0;
  /// Must be called if the launch that next() named has begun, but can place nothing until on_prepared(). It is not
  /// named again in this visit.
  virtual void on_preparing(LaunchId launch) = 0;
  /// Must be called when the launch is prepared and can place work-groups.
  virtual void on_prepared(LaunchId) {}
  /// Must be called if the launch that next() named has begun and can place work-groups at once. next() continues to
  /// name it.
  virtual void on_begun(LaunchId launch) = 0;
  /// The launch that next() named placed a work-group, or some of its threads; `left` of its work-groups are not
  /// dispatched. This begins the launch, if nothing did before.
  virtual void on_placed(LaunchId launch, std::uint64_t left) = 0;
  /// The launch that next() named could place nothing: it is not named again in this visit.
  virtual void on_blocked(LaunchId launch) = 0;
  /// Must be called if the launch has no further work-group to begin and, if `filled`, no thread to place. Returns true
  /// if the chooser removes it.
  virtual bool on_exhausted(LaunchId launch, bool filled) = 0;
  /// Must be called, between turns, if cores belong to launches and the launch has lost its last core. From then on, it
  /// is equal to others of its kind.
  virtual void on_left_cores(LaunchId) {}
};

/// Returns, by launch, the number of its ancestors. Children go before their parents, which may wait for them.
std::vector<std::uint32_t> child_depths(const Workload& workload);

std::unique_ptr<KernelChooser> make_kernel_chooser(const DispatchRules& rules, const Workload& workload,
                                                   const CoreSelections& cores);

/// A queue of ready launches, by (ready time, order in the file).
class LaunchQueue {
 public:
  void arrive(LaunchId launch, SimTime ready);
  bool empty() const { return waiting_.empty(); }
  LaunchId head() const { return waiting_.front().launch; }
  SimTime head_ready() const { return waiting_.front().ready; }
  bool head_has_begun() const { return head_has_begun_; }
  /// Must be called when the head has begun. From then on, no launch goes before it.
  void begin_head() { head_has_begun_ = true; }
  /// Removes the head, which has placed all its threads.
  void pop();

 private:
  struct Entry {
    LaunchId launch;
    SimTime ready;
  };

  std::deque<Entry> waiting_;
  bool head_has_begun_ = false;
};

// Rule, to the picosecond: heads.
//
// Launches that may not begin (`concurrent_kernels`) block no other launch. The others that wait are ordered: the
// highest priority first (if priorities count), then the deepest child, then one that has begun, then by (ready time,
// file). A launch is a head if no launch before it in this order may use one of its cores: a launch never waits behind
// one whose cores are disjoint from its own. Only heads are named, each until all its threads are placed.
//
// Heads take turns. Of those that are not blocked, the one is named on whose cores, as its launches are restricted to
// them, a launch was placed the longest ago, those without any first; of equals, the first in the order above.

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

// Rule, to the picosecond: skipping.
//
// A launch stands behind another launch of its kernel and cores that has begun while it has not, or else was ready
// before it. A child and a launch of the host never count as the same.

/// Chooses the first launch that can place a work-group, by (children before others, ready time, order in the file).
/// Launches of one kernel on the same cores do not overtake each other, so a turn tries one launch per kind, however
/// many launches wait.
class SkippingChooser : public KernelChooser {
 public:
  SkippingChooser(const Workload& workload, const CoreSelections& cores);

  void arrive(LaunchId launch, SimTime ready) override;
  void begin_visit() override;
  std::optional<LaunchId> next(MayBegin may_begin) override;
  /// Other launches of its kind do not overtake the launch while it is prepared.
  void on_preparing(LaunchId launch) override {
    mark_begun(launch);
    on_blocked(launch);
  }
  void on_begun(LaunchId launch) override { mark_begun(launch); }
  void on_placed(LaunchId launch, std::uint64_t) override { mark_begun(launch); }
  void on_blocked(LaunchId launch) override { kinds_[kind_of_[launch]].blocked_in = visit_; }
  bool on_exhausted(LaunchId launch, bool filled) override;

 private:
  struct EqualLaunches {
    LaunchQueue queue;
    std::uint64_t blocked_in = 0;  ///< the last visit in which it was blocked
  };
  /// The position of a kind among all kinds, given by its head.
  struct HeadKey {
    std::uint32_t shallowness = 0;  ///< deeper launches go first
    SimTime ready;
    LaunchId head{};
    std::uint32_t kind = 0;
    friend auto operator<=>(const HeadKey&, const HeadKey&) = default;
  };
  /// The heads of kinds with waiting launches: each is named at most once in a visit.
  class Heads {
   public:
    void begin_visit() { at_ = keys_.begin(); }
    void insert(const HeadKey& key);
    void erase(const HeadKey& key);
    /// Returns the first head that is not blocked, or null if there is none.
    template <class IsBlocked>
    const HeadKey* first(IsBlocked is_blocked) {
      while (at_ != keys_.end() && is_blocked(*at_)) ++at_;
      return at_ == keys_.end() ? nullptr : &*at_;
    }

   private:
    std::set<HeadKey> keys_;
    std::set<HeadKey>::iterator at_ = keys_.begin();  ///< keys before it are blocked in this visit
  };

  HeadKey key_of(std::uint32_t kind) const;
  void mark_begun(LaunchId launch);
  /// Returns the heads among which the kind's head waits.
  Heads& heads_with(std::uint32_t kind);
  /// Calls `change()`, which may change the queue of the kind, and updates its position.
  template <class Change>
  void change_queue(std::uint32_t kind, Change change);

  LaunchClasses kind_of_;
  std::vector<std::uint32_t> depths_;  ///< by launch
  std::vector<EqualLaunches> kinds_;
  Heads open_;               ///< heads that have begun, or are children: they may place even while none may begin
  Heads unbegun_;            ///< the others
  std::uint64_t visit_ = 0;  ///< counts visits
};

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
  enum class ClassQueue : std::uint8_t { unbegun, open };
  struct Offer {
    std::uint32_t number = 0;  ///< number of the class
    ClassQueue queue{};
  };
  using Offers = std::map<TurnPosition, Offer>;

  TurnPosition position_of(LaunchId launch) const { return {ready_[index_of(launch)], launch}; }
  Offers::iterator behind_last() { return last_ ? offers_.upper_bound(*last_) : offers_.begin(); }
  RefusalClass& class_of(LaunchId launch) { return classes_[class_of_[index_of(launch)]]; }
  void give_own_class(LaunchId launch);
  void insert(std::uint32_t number, ClassQueue queue, const TurnPosition& position);
  void remove(LaunchId launch);
  void leave_round(LaunchId launch);
  void renew_offer(std::uint32_t number, ClassQueue class_queue);
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
