#include <gdsim/model/water_level.hpp>

namespace gdsim {

std::optional<Fraction> water_level(std::span<const Asker> askers, Fraction bandwidth) {
  Fraction left = bandwidth;
  Fraction weight;  // of those that have not got their caps
  for (const Asker& asker : askers) weight = weight + asker.weight;
  for (const Asker& asker : askers) {
    if (weight.is_zero()) break;
    if (left < asker.cap * weight) return left / weight;
    const Fraction used = asker.weight * asker.cap;
    left = left < used ? Fraction() : left - used;
    weight = weight < asker.weight ? Fraction() : weight - asker.weight;
  }
  return std::nullopt;
}

bool is_far_from_full(double asked, Fraction bandwidth) {
  return asked < 0.99 * bandwidth.approximately() && bandwidth.approximately() > 0x1p-20;
}

}  // namespace gdsim
