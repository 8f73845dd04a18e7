#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <vector>

namespace gdsim {

/// The numbers from 0 to size() - 1 in the order of use, the most recently touched first.
class RecencyOrder {
 public:
  /// Holds the numbers from 0 to `size` - 1 in ascending order.
  explicit RecencyOrder(std::uint32_t size = 0) {
    for (std::uint32_t number = 0; number < size; ++number) places_.push_back(order_.insert(order_.end(), number));
  }
  RecencyOrder(const RecencyOrder&) = delete;  // places refer to the list
  RecencyOrder(RecencyOrder&&) = default;

  std::size_t size() const { return places_.size(); }
  /// Moves `number` to the front. Adds it if it is size().
  void touch(std::uint32_t number) {
    if (number == size()) {
      places_.push_back(order_.insert(order_.begin(), number));
    } else {
      order_.splice(order_.begin(), order_, places_[number]);
    }
  }
  auto begin() const { return order_.begin(); }
  auto end() const { return order_.end(); }

 private:
  std::list<std::uint32_t> order_;
  std::vector<std::list<std::uint32_t>::iterator> places_;  ///< by number
};

}  // namespace gdsim
