#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace gdsim {

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

}  // namespace gdsim
