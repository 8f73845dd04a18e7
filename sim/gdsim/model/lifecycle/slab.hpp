#pragma once

#include <cstddef>
#include <vector>

namespace gdsim {

/// Objects addressed by a small index, which is reused after their removal. Memory is proportional to the maximum
/// number of simultaneous objects.
template <class T, class Index>
class Slab {
 public:
  Index add(const T& value) {
    if (free_.empty()) {
      items_.push_back(value);  // which may be one of items_
      return static_cast<Index>(items_.size() - 1);
    }
    const Index index = free_.back();
    free_.pop_back();
    (*this)[index] = value;
    return index;
  }
  void remove(Index index) { free_.push_back(index); }

  /// Returns the number of slots, including those of removed objects.
  std::size_t size() const { return items_.size(); }
  /// Returns the number of objects that are not removed.
  std::size_t count() const { return items_.size() - free_.size(); }

  T& operator[](Index index) { return items_[static_cast<std::size_t>(index)]; }
  const T& operator[](Index index) const { return items_[static_cast<std::size_t>(index)]; }

  /// Iterate over all slots, including those of removed objects.
  auto begin() const { return items_.begin(); }
  auto end() const { return items_.end(); }

 private:
  std::vector<T> items_;
  std::vector<Index> free_;
};

}  // namespace gdsim
