#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace gdsim {

/// Numbers of sectors, each with a number of its own: a hash table without an allocation for each entry.
class SectorTable {
 public:
  std::size_t size() const { return count_; }

  /// The sector's number, which is `value` if the sector is new; `is_new` says whether it is.
  std::uint32_t& put(std::uint64_t sector, std::uint32_t value, bool& is_new) {
    if (2 * (count_ + 1) > slots_.size()) grow();
    std::size_t at = place_of(sector);
    while (slots_[at].key != 0 && slots_[at].key != sector + 1) at = next(at);
    is_new = slots_[at].key == 0;
    if (is_new) {
      slots_[at] = {sector + 1, value};
      ++count_;
    }
    return slots_[at].value;
  }

  /// Takes out a sector that is there. Sectors behind it that it has displaced move up.
  void take_out(std::uint64_t sector) {
    std::size_t gap = place_of(sector);
    while (slots_[gap].key != sector + 1) gap = next(gap);
    for (std::size_t at = next(gap); slots_[at].key != 0; at = next(at)) {
      const std::size_t wanted = place_of(slots_[at].key - 1);
      const bool may_move = gap <= at ? (wanted <= gap || wanted > at) : (wanted <= gap && wanted > at);
      if (!may_move) continue;
      slots_[gap] = slots_[at];
      gap = at;
    }
    slots_[gap] = {};
    --count_;
  }

 private:
  struct Slot {
    std::uint64_t key = 0;  ///< the sector, plus 1; 0: empty
    std::uint32_t value = 0;
  };

  std::size_t next(std::size_t at) const { return (at + 1) & (slots_.size() - 1); }

  /// By Fibonacci hashing: neighbouring sectors go far apart.
  std::size_t place_of(std::uint64_t sector) const {
    return static_cast<std::size_t>((sector * 0x9E37'79B9'7F4A'7C15U) >> shift_);
  }

  void grow() {
    constexpr std::size_t fewest = 64;
    std::vector<Slot> before(slots_.empty() ? fewest : 2 * slots_.size());
    before.swap(slots_);
    shift_ = 64;
    for (std::size_t size = slots_.size(); size > 1; size /= 2) --shift_;
    for (const Slot& slot : before) {
      if (slot.key == 0) continue;
      std::size_t at = place_of(slot.key - 1);
      while (slots_[at].key != 0) at = next(at);
      slots_[at] = slot;
    }
  }

  std::vector<Slot> slots_;  ///< a power of two of them, at most half of them used
  unsigned shift_ = 64;
  std::size_t count_ = 0;
};

/// The sectors that a cache holds, with replacement of the least recently used one.
class SectorCache {
 public:
  explicit SectorCache(std::size_t capacity) : capacity_(capacity) {}

  /// Holds the sector, unless there is no capacity. Returns true if it was held before.
  bool use(std::uint64_t sector) {
    if (capacity_ == 0) return false;
    const bool is_full = entries_.size() >= capacity_;
    bool is_new = false;
    const std::uint32_t at =
        places_.put(sector, is_full ? oldest_ : static_cast<std::uint32_t>(entries_.size()), is_new);
    if (is_new && is_full)
      places_.take_out(entries_[at].sector);
    else if (is_new)
      entries_.emplace_back();
    if (is_new ? is_full : at != newest_) take_out(at);
    entries_[at].sector = sector;
    if (is_new || at != newest_) put_first(at);
    return !is_new;
  }

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  /// A held sector, and its neighbours by last use.
  struct Entry {
    std::uint64_t sector = 0;
    std::uint32_t newer = kNone;
    std::uint32_t older = kNone;
  };

  void take_out(std::uint32_t at) {
    const Entry& entry = entries_[at];
    (entry.newer == kNone ? newest_ : entries_[entry.newer].older) = entry.older;
    (entry.older == kNone ? oldest_ : entries_[entry.older].newer) = entry.newer;
  }

  void put_first(std::uint32_t at) {
    entries_[at].newer = kNone;
    entries_[at].older = newest_;
    (newest_ == kNone ? oldest_ : entries_[newest_].newer) = at;
    newest_ = at;
  }

  std::size_t capacity_;
  std::vector<Entry> entries_;
  std::uint32_t newest_ = kNone;
  std::uint32_t oldest_ = kNone;
  SectorTable places_;  ///< by sector: its entry
};

}  // namespace gdsim
