#pragma once

#include <gdsim/base/quantity.hpp>
#include <gdsim/dispatch/choice/kernel_chooser.hpp>
#include <gdsim/dispatch/choice/launch_queue.hpp>
#include <gdsim/dispatch/launch_classes.hpp>

#include <compare>
#include <cstdint>
#include <optional>
#include <set>
#include <vector>

namespace gdsim {

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
  struct Kind {
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
  std::vector<Kind> kinds_;
  Heads open_;               ///< heads that have begun, or are children: they may place even while none may begin
  Heads unbegun_;            ///< the others
  std::uint64_t visit_ = 0;  ///< counts visits
};

}  // namespace gdsim
