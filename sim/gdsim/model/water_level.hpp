#pragma once

#include <gdsim/base/fraction.hpp>

#include <optional>
#include <span>

namespace gdsim {

/// Threads that ask one level of the memory for the same.
struct Asker {
  Fraction cap;     ///< bytes per picosecond and weight: they ask for no more
  Fraction weight;  ///< theirs together, as far as they ask this level
};

/// The highest rate per weight at which all together ask for no more than `bandwidth`; nothing: at any rate, for their
/// caps are low enough. They come by rising cap.
std::optional<Fraction> water_level(std::span<const Asker> askers, Fraction bandwidth);

/// Caps for about `asked` in all are so much less than there is that no rounding matters, of fractions or of the
/// estimate: water_level() would find nothing, too, but later.
bool is_far_from_full(double asked, Fraction bandwidth);

}  // namespace gdsim
