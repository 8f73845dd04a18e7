#include <gdsim/infer/chance.hpp>

#include <bit>
#include <cmath>

namespace gdsim {

std::uint64_t bits_against_chance(const ChanceLevel& chance, std::uint64_t right) {
  if (chance.decisions == 0) return 0;
  const auto n = static_cast<double>(chance.decisions);
  const double found = static_cast<double>(right) / n;
  const double expected = static_cast<double>(chance.expected) / static_cast<double>(kCertain) / n;
  if (found <= expected || expected >= 1) return 0;
  if (expected <= 0) return right > 0 ? chance.decisions : 0;
  const double hit = found > 0 ? found * std::log2(found / expected) : 0;
  const double miss = found < 1 ? (1 - found) * std::log2((1 - found) / (1 - expected)) : 0;
  const double bits = n * (hit + miss);
  return bits > 0 ? static_cast<std::uint64_t>(bits) : 0;
}

std::uint64_t bits_of_choice(std::uint64_t alternatives) {
  return alternatives < 2 ? 0 : static_cast<std::uint64_t>(std::bit_width(alternatives - 1));
}

bool are_distinguishable(std::uint64_t more, std::uint64_t less) {
  const std::uint64_t all = more + less;
  // The tail of a fair coin, exactly: sum of C(n, k) for k from `more` on, against 2^n / 20.
  constexpr std::uint64_t max_exact = 100;
  if (all > max_exact) {
    // For larger n, by Chebyshev's bound: more - less lies within sqrt(20 n) of 0 in at least 19 of 20 cases.
    const UInt128 difference = more > less ? more - less : 0;
    return difference * difference > UInt128{20} * all;
  }
  UInt128 tail = 0;
  UInt128 coefficient = 1;  // C(n, n)
  for (std::uint64_t k = all;; --k) {
    if (k < more) break;
    tail += coefficient;
    if (k == 0) break;
    coefficient = coefficient * k / (all - k + 1);
  }
  return tail * 20 <= (UInt128{1} << all);
}

bool is_distinguishably_better(std::uint64_t better, std::uint64_t other, std::uint64_t both) {
  const std::uint64_t more = better - both;
  const std::uint64_t less = other - both;
  return (less == 0 && more > 0) || are_distinguishable(more, less);
}

}  // namespace gdsim
