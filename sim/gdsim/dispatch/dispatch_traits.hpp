#pragma once

#include <gdsim/device/dispatch_rules.hpp>
#include <gdsim/dispatch/dispatch_times.hpp>

#include <cstddef>

namespace gdsim {

/// What holds of dispatching in a whole run, found once from its rules. Whatever takes a shorter way than the rules as
/// they are written asks here, by name, whether it may: nothing else says where shorter ways are right.
///
/// An unknown rule allows none of them. A rule that is added to DispatchRules does not compile in dispatch_traits.cpp
/// until that file says what it allows; a value of a rule that the file does not name is unknown.
class DispatchTraits {
 public:
  /// What besides the rules decides.
  struct Setting {
    std::size_t dispatchers = 1;
    bool placement_is_described = false;  ///< the placement visits all of its state
    bool is_partitioned = false;          ///< launches are dealt out to groups of cores
  };

  /// The traits of unknown rules: nothing is allowed.
  DispatchTraits() = default;
  DispatchTraits(const DispatchRules& rules, const DispatchTimes& times, const Setting& setting);

  /// This class knows every rule and its value. Otherwise nothing is fast-forwarded at all.
  bool are_known() const { return are_known_; }
  /// What happens does not depend on when it happens, as it does where the clock changes, or processes have the device
  /// in turn. Otherwise nothing is fast-forwarded, either.
  bool allow_fast_forwarding() const { return are_known_ && !clock_changes_ && !is_preempted_; }
  /// A turn names no other launch behind one that is refused, nor before one that has placed a work-group and has more.
  bool is_head_of_line() const { return is_head_of_line_; }
  /// A turn may only find out whether what was released is enough for the one launch that waits.
  bool allow_incremental_turns() const { return allow_incremental_turns_; }
  /// An incremental turn may place work-groups, one after the other, while the last request stands.
  bool allow_incremental_placing() const { return allow_incremental_placing_; }
  /// A work-group may take the slot of another of its launch without a turn.
  bool allow_slot_reuse() const { return allow_slot_reuse_; }
  /// What a launch that is alone on the device does follows from its kernel, and from the placements' cursors.
  bool allow_isolated_launches() const { return allow_isolated_launches_; }
  /// One request may stand for all launches that need the same.
  bool allow_shared_requests() const { return allow_shared_requests_; }

 private:
  bool are_known_ = false;
  bool clock_changes_ = false;
  bool is_preempted_ = false;
  bool is_head_of_line_ = false;
  bool allow_incremental_turns_ = false;
  bool allow_incremental_placing_ = false;
  bool allow_slot_reuse_ = false;
  bool allow_isolated_launches_ = false;
  bool allow_shared_requests_ = false;
};

}  // namespace gdsim
