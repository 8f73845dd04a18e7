#pragma once

#include <gdsim/dispatch/kernel_chooser.hpp>
#include <gdsim/dispatch/launch_queue.hpp>

#include <compare>
#include <set>

namespace gdsim {

/// The first launch that can place a work-group, by (children before others, ready time, order in the file). Launches
/// of one kernel and the same cores do not overtake each other, and kinds that share a request are refused together: so
/// a turn tries one of each, however many wait.
class SkippingChooser : public KernelChooser {
 public:
  SkippingChooser(const Workload& workload, const CoreSelections& cores, std::span<const std::uint32_t> shared);

  void arrive(LaunchId launch, SimTime ready) override;
  void begin_turn() override;
  std::optional<LaunchId> next(MayBegin may_begin) override;
  /// Others of its kind do not overtake it meanwhile.
  void prepares(LaunchId launch) override {
    placed(launch);
    blocked(launch);
  }
  void placed(LaunchId launch) override;
  void blocked(LaunchId launch) override { class_of(kind_numbers_[index_of(launch)]).blocked_in = turn_; }
  bool exhausted(LaunchId launch, bool filled) override;
  std::optional<LaunchId> asked_for_kind_of(LaunchId launch) const override;

 private:
  /// Where a kind stands among the others: by its head.
  struct Position {
    std::uint32_t shallowness = 0;  ///< the deeper go first
    SimTime ready;
    LaunchId head{};
    std::uint32_t kind = 0;
    friend auto operator<=>(const Position&, const Position&) = default;
  };
  /// Kinds that are refused together: they share a request.
  struct Class {
    std::set<Position> kinds;      ///< those with waiting launches
    std::uint64_t blocked_in = 0;  ///< the turn
  };
  /// Classes with waiting launches, by their first kind, and the progress of the turn, which visits each once.
  class Line {
   public:
    void begin_turn() { at_ = positions_.begin(); }
    void insert(const Position& position);
    void erase(const Position& position);
    /// The first that is not blocked.
    template <class IsBlocked>
    const Position* first(IsBlocked is_blocked) {
      while (at_ != positions_.end() && is_blocked(*at_)) ++at_;
      return at_ == positions_.end() ? nullptr : &*at_;
    }

   private:
    std::set<Position> positions_;
    std::set<Position>::iterator at_ = positions_.begin();  ///< those before it are blocked in this turn
  };

  Class& class_of(std::uint32_t kind) { return classes_[class_of_kind_[kind]]; }
  Position position_of(std::uint32_t kind) const;
  /// Where the class waits, by the head of its first kind.
  Line& line_of(const Class& one);
  /// `change()` changes the queue of the kind.
  template <class Change>
  void change_queue(std::uint32_t kind, Change change);

  std::vector<std::uint32_t> kind_numbers_;   ///< by launch
  std::vector<std::uint32_t> depths_;         ///< by launch
  std::vector<LaunchQueue> queues_;           ///< by kind
  std::vector<std::uint32_t> class_of_kind_;  ///< by kind
  std::vector<Class> classes_;
  Line open_;  ///< classes whose first head has begun, or is a child: they may place even while none may begin
  Line unbegun_;
  std::uint64_t turn_ = 0;
};

}  // namespace gdsim
