#pragma once

#include <cstddef>
#include <vector>

namespace gdsim {

/// Assigns lanes to intervals so that the intervals of a lane never overlap: always the lowest free lane.
class Lanes {
 public:
  std::size_t take() {
    std::size_t lane = 0;
    while (lane < is_taken_.size() && is_taken_[lane]) ++lane;
    if (lane == is_taken_.size()) is_taken_.push_back(false);
    is_taken_[lane] = true;
    return lane;
  }
  void release(std::size_t lane) { is_taken_[lane] = false; }
  /// Returns the maximum number of lanes that were taken at once.
  std::size_t count() const { return is_taken_.size(); }

 private:
  std::vector<bool> is_taken_;
};

}  // namespace gdsim
