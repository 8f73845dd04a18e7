#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace gdsim {

/// Many lists, stored one after the other in one vector. Each list takes 4 bytes besides its values. Lists are appended
/// in order and do not change afterwards.
template <class T>
class FlatLists {
 public:
  std::size_t size() const { return ends_.size(); }
  std::span<const T> operator[](std::size_t list) const {
    const std::size_t begin = list == 0 ? 0 : ends_[list - 1];
    return std::span(values_).subspan(begin, ends_[list] - begin);
  }

  void reserve(std::size_t lists) { ends_.reserve(lists); }
  /// Appends the next list.
  void add(std::span<const T> values) {
    values_.insert(values_.end(), values.begin(), values.end());
    ends_.push_back(static_cast<std::uint32_t>(values_.size()));
  }

  /// Builds `count` lists. `visit(add)` must call `add(list, value)` for each value; the values of each list keep this
  /// order. `visit` is called twice and must report the same values both times.
  template <class Visit>
  static FlatLists collect(std::size_t count, Visit visit) {
    FlatLists lists;
    lists.ends_.resize(count, 0);
    visit([&](std::size_t list, const T&) { ++lists.ends_[list]; });
    std::uint32_t begin = 0;
    for (std::uint32_t& end : lists.ends_) {
      const std::uint32_t length = end;
      end = begin;  // the position of the list's next value; after the last value, the list's end
      begin += length;
    }
    lists.values_.resize(begin);
    visit([&](std::size_t list, const T& value) { lists.values_[lists.ends_[list]++] = value; });
    return lists;
  }

 private:
  std::vector<std::uint32_t> ends_;  ///< by list: the position after its last value
  std::vector<T> values_;
};

}  // namespace gdsim
