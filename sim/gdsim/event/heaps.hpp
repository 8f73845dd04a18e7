#pragma once

#include <gdsim/base/quantity.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

namespace gdsim {

/// The earliest of several times, which must not be negative. The comparison has no branch, because a branch predictor
/// could not predict which time is the earliest.
class EarliestTime {
 public:
  void add(SimTime time) { earliest_ = std::min(earliest_, static_cast<std::uint64_t>(time.count)); }
  std::optional<SimTime> get() const {
    return earliest_ == kNone ? std::nullopt : std::optional(SimTime{static_cast<std::int64_t>(earliest_)});
  }

 private:
  static constexpr std::uint64_t kNone = std::numeric_limits<std::uint64_t>::max();

  std::uint64_t earliest_ = kNone;
};

// A binary min-heap in a vector of entries, ordered by `finish`. It breaks ties as the heap of the standard library
// does, but is faster: push writes the new entry once, and pop selects the lesser of two children without a branch,
// which could not be predicted.

template <class Entry>
void push_to_heap(std::vector<Entry>& heap, Entry entry) {
  std::size_t at = heap.size();
  heap.emplace_back();
  for (; at > 0 && entry.finish < heap[(at - 1) / 2].finish; at = (at - 1) / 2) heap[at] = heap[(at - 1) / 2];
  heap[at] = entry;
}

/// Removes and returns the entry with the least `finish`. The heap must not be empty.
template <class Entry>
Entry pop_from_heap(std::vector<Entry>& heap) {
  const Entry first = heap.front();
  const Entry last = heap.back();
  heap.pop_back();
  if (heap.empty()) return first;
  std::size_t at = 0;
  std::size_t child = 2;
  for (; child < heap.size(); child = 2 * at + 2) {
    child -= static_cast<std::size_t>(heap[child - 1].finish < heap[child].finish);
    heap[at] = heap[child];
    at = child;
  }
  if (child == heap.size()) {
    heap[at] = heap[child - 1];
    at = child - 1;
  }
  for (; at > 0 && last.finish < heap[(at - 1) / 2].finish; at = (at - 1) / 2) heap[at] = heap[(at - 1) / 2];
  heap[at] = last;
  return first;
}

/// A binary min-heap of small indices by keys that can be changed. The cost of each change is logarithmic.
template <class Key>
class IndexedHeap {
 public:
  bool empty() const { return items_.empty(); }
  std::uint32_t top() const { return items_.front().index; }
  const Key& top_key() const { return items_.front().key; }
  bool contains(std::uint32_t index) const { return index < position_.size() && position_[index] != kAbsent; }

  /// Adds `index` with this key, or changes its key.
  void set(std::uint32_t index, const Key& key) {
    if (index >= position_.size()) position_.resize(std::size_t{index} + 1, kAbsent);
    std::size_t at = position_[index];
    if (at == kAbsent) {
      at = items_.size();
      items_.push_back({key, index});
    } else if (items_[at].key == key) {
      return;
    }
    move({key, index}, at);
  }

  /// Removes `index` if it is in the heap.
  void erase(std::uint32_t index) {
    if (!contains(index)) return;
    const std::size_t at = position_[index];
    position_[index] = kAbsent;
    const Item last = items_.back();
    items_.pop_back();
    if (at < items_.size()) move(last, at);
  }

 private:
  struct Item {
    Key key;
    std::uint32_t index;
  };

  static constexpr std::uint32_t kAbsent = std::numeric_limits<std::uint32_t>::max();

  void place(std::size_t at, const Item& item) {
    items_[at] = item;
    position_[item.index] = static_cast<std::uint32_t>(at);
  }

  /// Places the item at its position, up or down from `at`, which must be free.
  void move(Item item, std::size_t at) {
    if (at > 0 && item.key < items_[(at - 1) / 2].key) {
      rise(item, at);
    } else {
      sink(item, at);
    }
  }

  void rise(const Item& item, std::size_t at) {
    for (; at > 0 && item.key < items_[(at - 1) / 2].key; at = (at - 1) / 2) place(at, items_[(at - 1) / 2]);
    place(at, item);
  }

  void sink(const Item& item, std::size_t at) {
    const std::size_t end = items_.size();
    for (std::size_t child = 2 * at + 1; child < end; child = 2 * at + 1) {
      // Adds instead of branching, because the lesser of the two cannot be predicted.
      if (child + 1 < end) child += static_cast<std::size_t>(items_[child + 1].key < items_[child].key);
      if (!(items_[child].key < item.key)) break;
      place(at, items_[child]);
      at = child;
    }
    place(at, item);
  }

  std::vector<Item> items_;
  std::vector<std::uint32_t> position_;  ///< by index
};

/// The least of a fixed number of keys that change. A change costs as many steps as there are levels of a binary tree
/// whose least key it changes, so few unless the key is the least, or was.
template <class Key>
class MinTree {
 public:
  /// Keys are `none` at first, which must not be less than any other.
  MinTree(std::size_t count, const Key& none) : leaves_(std::bit_ceil(count)), nodes_(2 * leaves_, none) {}

  const Key& least() const { return nodes_[1]; }

  void set(std::size_t index, const Key& key) {
    std::size_t at = leaves_ + index;
    nodes_[at] = key;
    for (at /= 2; at > 0; at /= 2) {
      const Key& least_below = std::min(nodes_[2 * at], nodes_[2 * at + 1]);
      if (nodes_[at] == least_below) return;
      nodes_[at] = least_below;
    }
  }

  /// Calls `visit(index)` for each index that has the least key, in ascending order. `visit` must not change keys.
  template <class Visit>
  void visit_least(Visit&& visit) const {
    for (std::size_t at = first_below(1); at != 0; at = next(at)) visit(at - leaves_);
  }

 private:
  /// Returns the first leaf with the least key below this node, which must have it.
  std::size_t first_below(std::size_t at) const {
    while (at < leaves_) at = 2 * at + (nodes_[2 * at] == least() ? 0 : 1);
    return at;
  }
  /// Returns the next leaf with the least key, or 0 if there is none.
  std::size_t next(std::size_t at) const {
    for (; at > 1; at /= 2)
      if (at % 2 == 0 && nodes_[at + 1] == least()) return first_below(at + 1);
    return 0;
  }

  std::size_t leaves_;
  std::vector<Key> nodes_;  ///< the root is the first, the children of i are 2 i and 2 i + 1; nodes_[0] is unused
};

}  // namespace gdsim
