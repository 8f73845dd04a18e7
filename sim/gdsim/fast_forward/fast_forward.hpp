#pragma once

namespace gdsim {

/// The methods of fast-forwarding that a run may use. Results are the same with and without each of them. Switching a
/// method off proves that, and measures its savings.
struct FastForward {
  bool recurrence = true;         ///< a state of the whole device recurs
  bool isolated_loops = true;     ///< iterations that no other work-group changes
  bool slot_recycling = true;     ///< work-groups of one launch follow each other in their slots
  bool isolated_launches = true;  ///< a launch is alone on the device, as an equal one was before

  static const FastForward yes;
  static const FastForward no;

  bool operator==(const FastForward&) const = default;
};

inline constexpr FastForward FastForward::yes{};
inline constexpr FastForward FastForward::no{false, false, false, false};

}  // namespace gdsim
