#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

namespace gdsim {

/// What a reader of a file is charged for.
enum class ReadCost : std::uint8_t {
  unpacked,  ///< bytes that decompressors and a database's views make of the file
  parts,     ///< bytes of its parts, such as sections, which may overlap and hold each other
  entries,   ///< values, launches, kernels: everything of which one is kept
  memory,    ///< bytes that entries and their texts take
  steps,     ///< instructions of a database's views and of a kernel that is followed: some 10 ns each
};
inline constexpr std::size_t kReadCosts = 5;

/// A file may cost so much whatever its size is, and so much more for each of its bytes, but never more than `most`.
struct ReadLimit {
  std::uint64_t fixed = 0;
  std::uint64_t per_byte = 0;
  std::uint64_t most = ~std::uint64_t{0};
};

/// By ReadCost.
using ReadLimits = std::array<ReadLimit, kReadCosts>;

/// gzip makes at most 1,032 bytes of one, traces of profilers and machine code some 30. Parts within parts within parts
/// that do not overlap have the file's bytes once or twice at each of 8 levels.
inline constexpr ReadLimits kReadLimits{{
    {std::uint64_t{1} << 26, 100},
    {std::uint64_t{1} << 16, 20},
    {16'000'000},
    {std::uint64_t{1} << 26, 100, std::uint64_t{1} << 31},
    {1'000'000'000, 10},
}};

/// What reading one file may cost. All of its readers share the file's budget and charge it before they take memory or
/// time, so that whatever the file claims, both grow at most as its size does. May be used by one thread at a time.
class ReadBudget {
 public:
  /// `file` is its name in messages. `bytes` of it are known to be there; more may be found later.
  explicit ReadBudget(std::string file = {}, std::uint64_t bytes = 0, const ReadLimits& limits = kReadLimits);

  /// The file has so many bytes, as far as it was read.
  void find(std::uint64_t bytes) { bytes_ = std::max(bytes_, bytes); }
  /// Takes the amount, and returns false without taking it if less is left.
  bool take(ReadCost cost, std::uint64_t amount);
  /// Takes the amount. Throws InputError, `FILE: error: ...`, if less is left.
  void charge(ReadCost cost, std::uint64_t amount);
  /// Charges one entry that takes so many bytes of memory.
  void keep(std::uint64_t bytes) {
    charge(ReadCost::entries, 1);
    charge(ReadCost::memory, bytes);
  }

  std::uint64_t used(ReadCost cost) const { return used_[static_cast<std::size_t>(cost)]; }
  std::uint64_t limit(ReadCost cost) const;
  /// Says that this cost is exceeded, and what is allowed.
  std::string sentence_for(ReadCost cost) const;
  /// Throws InputError with that sentence.
  [[noreturn]] void refuse(ReadCost cost) const;

 private:
  std::string file_;
  std::uint64_t bytes_ = 0;
  ReadLimits limits_;
  std::array<std::uint64_t, kReadCosts> used_{};
};

}  // namespace gdsim
