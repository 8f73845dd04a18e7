#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace gdsim {

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

}  // namespace gdsim
