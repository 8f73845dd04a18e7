#include <gdsim/model/water_level.hpp>

namespace gdsim {

std::optional<Fraction> water_level(std::span<const Asker> askers, Fraction bandwidth) {
  Fraction left = bandwidth;
  Fraction weight;  // of those that have not got their caps
  Fraction lowest;  // what all have got: the last cap
  for (const Asker& asker : askers) weight = weight + asker.weight;
  for (const Asker& asker : askers) {
    if (weight.is_zero()) break;
    if (left.is_zero()) return lowest;  // rounded: there is less left than one part in 2^43 of what there is
    if (left < asker.cap * weight) return left / weight;
    const Fraction used = asker.weight * asker.cap;
    left = left < used ? Fraction() : left - used;
    weight = weight < asker.weight ? Fraction() : weight - asker.weight;
    lowest = asker.cap;
  }
  return std::nullopt;
}

bool is_far_from_full(double asked, Fraction bandwidth) {
  return asked < 0.99 * bandwidth.approximately() && bandwidth.approximately() > 0x1p-20;
}

}  // namespace gdsim
