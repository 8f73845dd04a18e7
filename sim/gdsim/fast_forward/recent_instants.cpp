#include <gdsim/fast_forward/recent_instants.hpp>

#include <algorithm>

namespace gdsim {

void RecentInstants::clear() {
  count_ = 0;
  sums_[0] = 0;
}

void RecentInstants::grow() {
  sums_.resize(2 * sums_.size());
  mask_ = sums_.size() - 1;
}

RecentInstants::Window RecentInstants::window(std::uint64_t size) const {
  Window window;
  window.size = std::min<std::uint64_t>({size, count_, sums_.size() - 1});
  std::uint64_t square = kBase;
  for (std::uint64_t left = window.size; left > 0; left /= 2) {
    if (left % 2 != 0) window.power *= square;
    square *= square;
  }
  return window;
}

}  // namespace gdsim
