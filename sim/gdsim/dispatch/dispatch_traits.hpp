#pragma once

#include <gdsim/device/dispatch_rules.hpp>
#include <gdsim/dispatch/dispatch_times.hpp>

#include <cstddef>

namespace gdsim {

/// Properties of dispatching in a whole run, derived once from its rules. Each property states whether a shortcut past
/// the rules is correct. Code must not take a shortcut under any other condition.
///
/// An unknown rule or value allows no shortcut. After a rule is added to DispatchRules, dispatch_traits.cpp does not
/// compile until it handles the rule.
class DispatchTraits {
 public:
  /// The properties, besides the rules, on which the traits depend.
  struct Setting {
    std::size_t dispatchers = 1;
    bool placement_is_described = false;  ///< the placement visits all of its state
    bool is_partitioned = false;          ///< work-groups of launches are assigned to groups of cores
  };

  /// The traits of unknown rules, which allow no shortcut.
  DispatchTraits() = default;
  DispatchTraits(const DispatchRules& rules, const DispatchTimes& times, const Setting& setting);

  /// Returns true if this class knows every rule and its value. Otherwise, runs are not fast-forwarded.
  bool are_known() const { return are_known_; }
  /// Returns true if runs may be fast-forwarded: the rules are known, and events do not depend on absolute times. They
  /// do if the clock changes or if processes have the device one at a time.
  bool allow_fast_forwarding() const { return are_known_ && !clock_changes_ && !is_preempted_; }
  /// Returns true if a turn names no other launch after a refused one, or while one that it has placed has more to
  /// place.
  bool is_head_of_line() const { return is_head_of_line_; }
  /// Returns true if a turn may only check whether the released resources are enough for the only waiting launch.
  bool allow_incremental_turns() const { return allow_incremental_turns_; }
  /// Returns true if an incremental turn may place several work-groups with the last request.
  bool allow_incremental_placing() const { return allow_incremental_placing_; }
  /// Returns true if a work-group may take the slot of another of its launch without a turn.
  bool allow_slot_reuse() const { return allow_slot_reuse_; }
  /// Returns true if the effects of a launch alone on the device follow from its kernel and the placements' cursors.
  bool allow_isolated_launches() const { return allow_isolated_launches_; }
  /// Returns true if one request may represent all launches with the same needs.
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
