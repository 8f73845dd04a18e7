#pragma once

#include <gdsim/device/dispatch_rules.hpp>

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
    bool placement_always_chooses = false;
  };

  /// The traits of unknown rules, which allow no shortcut.
  DispatchTraits() = default;
  DispatchTraits(const DispatchRules& rules, const Setting& setting);

  /// Returns true if a turn names no other launch after a refused one, or while one that it has placed has more to
  /// place.
  bool is_head_of_line() const { return is_head_of_line_; }
  /// Returns true if a turn may only check whether the released resources are enough for the only waiting launch.
  bool allow_incremental_turns() const { return allow_incremental_turns_; }
  /// Returns true if an incremental turn may place several work-groups with the last request.
  bool allow_incremental_placing() const { return allow_incremental_placing_; }

 private:
  bool is_head_of_line_ = false;
  bool allow_incremental_turns_ = false;
  bool allow_incremental_placing_ = false;
};

}  // namespace gdsim
