#pragma once

#include <gdsim/base/copying/with_place.hpp>
#include <gdsim/dispatch/choice/kernel_chooser.hpp>
#include <gdsim/dispatch/choice/launch_queue.hpp>

#include <compare>
#include <memory>
#include <set>

// Rule, to the picosecond: skipping.
//
// A launch stands behind another launch of its kernel and cores that has begun while it has not, or else was ready
// before it. A child and a launch of the host never count as the same.

namespace gdsim {

/// Chooses the first launch that can place a work-group, by (children before others, ready time, order in the file).
/// Launches of one kernel on the same cores do not overtake each other, and kinds that share a request are refused
/// together. So a turn tries one launch per kind or shared request, however many launches wait.
class SkippingChooser : public KernelChooser {
 public:
  SkippingChooser(const Workload& workload, const CoreSelections& cores, const LaunchClasses& shared);

  std::unique_ptr<KernelChooser> copy() const override { return std::make_unique<SkippingChooser>(*this); }
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
  void on_blocked(LaunchId launch) override { class_of(kind_numbers_[launch]).blocked_in = visit_; }
  bool on_exhausted(LaunchId launch, bool filled) override;
  std::optional<LaunchId> head_of_kind(LaunchId launch) const override;
  /// The state is determined by the launches that wait and that have begun.
  void visit_state(StateVisitor& visitor) override {
    const auto& [kind_numbers, depths, queues, class_of_kind, classes, open, unbegun, visit] = *this;
    visitor.constant(kind_numbers, depths, class_of_kind);
    visitor.derived(queues, classes, open, unbegun);
    visitor.scratch(visit);
  }

 private:
  /// The position of a kind among all kinds, given by its head.
  struct HeadKey {
    std::uint32_t shallowness = 0;  ///< deeper launches go first
    SimTime ready;
    LaunchId head{};
    std::uint32_t kind = 0;
    friend auto operator<=>(const HeadKey&, const HeadKey&) = default;
  };
  /// Kinds that are refused together: they share a request.
  struct RefusalClass {
    std::set<HeadKey> kinds;       ///< kinds with waiting launches
    std::uint64_t blocked_in = 0;  ///< the last visit in which it was blocked
  };
  /// Classes with waiting launches, by their first kind, and an iterator: each is named at most once in a visit.
  class ClassQueue {
   public:
    void begin_visit() { keys_.at = keys_.values.begin(); }
    void insert(const HeadKey& key);
    void erase(const HeadKey& key);
    /// Returns the first class that is not blocked, or null if there is none.
    template <class IsBlocked>
    const HeadKey* first(IsBlocked is_blocked) {
      while (keys_.at != keys_.values.end() && is_blocked(*keys_.at)) ++keys_.at;
      return keys_.at == keys_.values.end() ? nullptr : &*keys_.at;
    }

   private:
    WithPlace<std::set<HeadKey>> keys_;  ///< keys before the iterator are blocked in this visit
  };

  RefusalClass& class_of(std::uint32_t kind) { return classes_[class_of_kind_[kind]]; }
  HeadKey key_of(std::uint32_t kind) const;
  void mark_begun(LaunchId launch);
  /// The queue in which the class waits, by the head of its first kind.
  ClassQueue& queue_of(const RefusalClass& refusal_class);
  /// Calls `change()`, which may change the queue of the kind, and updates its position.
  template <class Change>
  void change_queue(std::uint32_t kind, Change change);

  LaunchClasses kind_numbers_;
  std::vector<std::uint32_t> depths_;         ///< by launch
  std::vector<LaunchQueue> queues_;           ///< by kind
  std::vector<std::uint32_t> class_of_kind_;  ///< by kind
  std::vector<RefusalClass> classes_;
  ClassQueue open_;     ///< classes whose first head has begun, or is a child: they may place even while none may begin
  ClassQueue unbegun_;  ///< the others
  std::uint64_t visit_ = 0;  ///< counts visits
};

}  // namespace gdsim
