#include <gdsim/points/latin_hypercube.hpp>

#include <gdsim/base/decimal.hpp>
#include <gdsim/model/philox.hpp>

#include <algorithm>
#include <numeric>
#include <set>

namespace gdsim {
namespace {

/// Whole numbers below a bound, one after the other, from independent streams.
class RandomNumbers {
 public:
  RandomNumbers(std::uint32_t stream, std::uint64_t seed) : stream_(stream), seed_(seed) {}

  std::uint64_t below(std::uint64_t bound) {
    const auto low = static_cast<std::uint32_t>(count_);
    const auto high = static_cast<std::uint32_t>(count_ >> 32);
    ++count_;
    return static_cast<std::uint64_t>((UInt128{first_word(philox({low, high, stream_, 0}, seed_))} * bound) >> 64);
  }

 private:
  std::uint32_t stream_;
  std::uint64_t seed_;
  std::uint64_t count_ = 0;
};

/// 0 to count - 1 in random order.
std::vector<std::uint64_t> permutation(std::uint64_t count, RandomNumbers random) {
  std::vector<std::uint64_t> order(count);
  std::iota(order.begin(), order.end(), std::uint64_t{0});
  for (std::uint64_t i = count; i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
  return order;
}

}  // namespace

std::vector<std::uint64_t> latin_hypercube(const std::vector<std::uint64_t>& sizes, std::uint64_t count,
                                           std::uint64_t seed) {
  std::vector<std::uint64_t> drawn(count);
  std::uint64_t size = 1;
  for (std::size_t axis = 0; axis < sizes.size(); ++axis) {
    const auto order = permutation(count, {static_cast<std::uint32_t>(axis), seed});
    for (std::uint64_t i = 0; i < count; ++i)
      drawn[i] = drawn[i] * sizes[axis] + static_cast<std::uint64_t>(UInt128{order[i]} * sizes[axis] / count);
    size *= sizes[axis];
  }
  std::set<std::uint64_t> points(drawn.begin(), drawn.end());
  RandomNumbers random(static_cast<std::uint32_t>(sizes.size()), seed);
  for (std::uint64_t tries = 0; points.size() < count && tries < 16 * count; ++tries) points.insert(random.below(size));
  for (std::uint64_t ordinal = 0; points.size() < count; ++ordinal) points.insert(ordinal);
  return {points.begin(), points.end()};
}

}  // namespace gdsim
