#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <unordered_map>

namespace gdsim {

/// The sectors that a cache holds, with replacement of the least recently used one.
class SectorCache {
 public:
  explicit SectorCache(std::size_t capacity) : capacity_(capacity) {}

  /// Holds the sector, unless there is no capacity. Returns true if it was held before.
  bool use(std::uint64_t sector) {
    const auto found = place_.find(sector);
    if (found != place_.end()) {
      order_.splice(order_.begin(), order_, found->second);
      return true;
    }
    if (capacity_ == 0) return false;
    if (place_.size() >= capacity_) {
      place_.erase(order_.back());
      order_.pop_back();
    }
    order_.push_front(sector);
    place_.emplace(sector, order_.begin());
    return false;
  }

 private:
  std::size_t capacity_;
  std::list<std::uint64_t> order_;  ///< most recently used first
  std::unordered_map<std::uint64_t, std::list<std::uint64_t>::iterator> place_;
};

}  // namespace gdsim
