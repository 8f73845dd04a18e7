#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <list>
#include <optional>
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

/// A set of small indices, stored as a bit mask: the search for the next member tests 64 indices at a time.
class IndexSet {
 public:
  explicit IndexSet(std::size_t size) : size_(size), words_((size + 63) / 64, 0) {}

  std::size_t size() const { return size_; }  ///< all indices are below it
  /// Makes room for indices below `size`; keeps the members.
  void grow(std::size_t size) {
    if (size <= size_) return;
    size_ = size;
    words_.resize((size + 63) / 64, 0);
  }
  bool empty() const { return count_ == 0; }
  bool contains(std::size_t index) const { return (words_[index / 64] >> (index % 64) & 1) != 0; }

  void insert(std::size_t index) {
    if (contains(index)) return;
    words_[index / 64] |= std::uint64_t{1} << (index % 64);
    ++count_;
  }
  void erase(std::size_t index) {
    if (!contains(index)) return;
    words_[index / 64] &= ~(std::uint64_t{1} << (index % 64));
    --count_;
  }

  /// Returns true if both sets, of the same size, have a member in common.
  bool meets(const IndexSet& other) const {
    for (std::size_t i = 0; i < words_.size(); ++i)
      if ((words_[i] & other.words_[i]) != 0) return true;
    return false;
  }
  /// Inserts the members of a set of the same size.
  void insert_all(const IndexSet& other) {
    count_ = 0;
    for (std::size_t i = 0; i < words_.size(); ++i) {
      words_[i] |= other.words_[i];
      count_ += static_cast<std::size_t>(std::popcount(words_[i]));
    }
  }

  /// Returns the only member, or nullopt if there is none or there are several.
  std::optional<std::size_t> only() const { return count_ == 1 ? next(0) : std::nullopt; }
  /// Returns the smallest member that is at least `from`, or nullopt if there is none.
  std::optional<std::size_t> next(std::size_t from) const {
    if (count_ == 0 || from >= size_) return std::nullopt;
    std::size_t word = from / 64;
    std::uint64_t bits = words_[word] & (~std::uint64_t{0} << (from % 64));
    while (bits == 0) {
      if (++word == words_.size()) return std::nullopt;
      bits = words_[word];
    }
    return word * 64 + static_cast<std::size_t>(std::countr_zero(bits));
  }

 private:
  std::size_t size_;
  std::size_t count_ = 0;
  std::vector<std::uint64_t> words_;
};

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
