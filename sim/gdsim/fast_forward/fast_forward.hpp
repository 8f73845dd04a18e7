#pragma once

namespace gdsim {

/// The methods of fast-forwarding that a run may use. Results are the same with and without each of them. A method is
/// switched off to verify this and to measure the time it saves.
struct FastForward {
  bool recurrence = true;         ///< skips periods after which the state of the whole device recurs
  bool isolated_loops = true;     ///< skips iterations that no other work-group affects
  bool slot_recycling = true;     ///< skips events of work-groups that reuse the slots of their launch
  bool isolated_launches = true;  ///< skips launches that are alone on the device, as an equal one was before

  static const FastForward yes;
  static const FastForward no;

  bool operator==(const FastForward&) const = default;
};

inline constexpr FastForward FastForward::yes{};
inline constexpr FastForward FastForward::no{false, false, false, false};

}  // namespace gdsim
