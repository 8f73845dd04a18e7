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
    bool all_use_the_same_cores = false;  ///< all launches
  };

  /// The traits of unknown rules, which allow no shortcut.
  DispatchTraits() = default;
  DispatchTraits(const DispatchRules& rules, const Setting& setting);

  /// Returns true if a turn names no other launch after a refused one, or while one that it has placed has more to
  /// place.
  bool is_head_of_line() const { return is_head_of_line_; }
  /// Returns true if a turn may end once the only waiting launch is refused again by the cores with a release.
  bool allow_short_turns() const { return allow_short_turns_; }
  /// Returns true if a turn decides what the last one has decided, as long as nothing has changed since.
  bool turns_repeat() const { return turns_repeat_; }

 private:
  bool is_head_of_line_ = false;
  bool allow_short_turns_ = false;
  bool turns_repeat_ = false;
};

}  // namespace gdsim
