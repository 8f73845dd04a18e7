#include <gdsim/record/points.hpp>

#include <algorithm>
#include <iterator>

namespace gdsim {

const PointLoop* loop_at(std::span<const PointLoop> loops, std::uint64_t index) {
  const auto after = std::upper_bound(loops.begin(), loops.end(), index,
                                      [](std::uint64_t i, const PointLoop& loop) { return i < loop.first; });
  return after == loops.begin() ? nullptr : &*std::prev(after);
}

}  // namespace gdsim
