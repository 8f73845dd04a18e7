#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace gdsim {

/// One bit for each decision of a log, launch by launch.
class DecisionBits {
 public:
  explicit DecisionBits(std::size_t decisions = 0) : words_((decisions + 63) / 64, 0) {}

  void set(std::size_t decision) { words_[decision / 64] |= std::uint64_t{1} << (decision % 64); }
  bool test(std::size_t decision) const { return (words_[decision / 64] >> (decision % 64) & 1) != 0; }
  std::size_t words() const { return words_.size(); }
  std::uint64_t word(std::size_t index) const { return words_[index]; }
  std::uint64_t& word(std::size_t index) { return words_[index]; }
  std::uint64_t count() const {
    std::uint64_t sum = 0;
    for (const std::uint64_t word : words_) sum += static_cast<std::uint64_t>(std::popcount(word));
    return sum;
  }

  friend bool operator==(const DecisionBits&, const DecisionBits&) = default;
  friend bool operator<(const DecisionBits& a, const DecisionBits& b) { return a.words_ < b.words_; }

 private:
  std::vector<std::uint64_t> words_;
};

/// Returns the number of decisions that are in both.
inline std::uint64_t count_both(const DecisionBits& a, const DecisionBits& b) {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < a.words(); ++i) sum += static_cast<std::uint64_t>(std::popcount(a.word(i) & b.word(i)));
  return sum;
}

}  // namespace gdsim
