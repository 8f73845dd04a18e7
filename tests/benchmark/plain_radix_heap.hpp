#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace gdsim::benchmarks {

/// A radix heap and nothing else: what an event queue for integer time can cost at least.
template <class Value>
class PlainRadixHeap {
 public:
  void push(std::uint64_t time, Value value) {
    const auto bucket = static_cast<std::size_t>(std::bit_width(time ^ now_));
    buckets_[bucket].push_back({time, value});
    occupied_ |= std::uint64_t{1} << bucket;
  }
  bool empty() const { return occupied_ == 0; }
  std::uint64_t now() const { return now_; }

  /// Takes all of the earliest time; `use(time, value)` for each. There must be one.
  template <class Use>
  void take(Use use) {
    if ((occupied_ & 1) == 0) advance();
    occupied_ &= ~std::uint64_t{1};
    current_.clear();
    current_.swap(buckets_[0]);
    for (const Entry& entry : current_) use(entry.time, entry.value);
  }

 private:
  struct Entry {
    std::uint64_t time;
    Value value;
  };

  void advance() {
    const auto bucket = static_cast<std::size_t>(std::countr_zero(occupied_));
    std::vector<Entry>& entries = buckets_[bucket];
    std::uint64_t earliest = entries.front().time;
    for (const Entry& entry : entries) earliest = entry.time < earliest ? entry.time : earliest;
    now_ = earliest;
    occupied_ &= ~(std::uint64_t{1} << bucket);
    for (const Entry& entry : entries) push(entry.time, entry.value);
    entries.clear();
  }

  std::array<std::vector<Entry>, 65> buckets_;
  std::vector<Entry> current_;
  std::uint64_t occupied_ = 0;  ///< of buckets; times stay below 2^63
  std::uint64_t now_ = 0;
};

}  // namespace gdsim::benchmarks
