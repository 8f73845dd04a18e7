#pragma once

#include <cstdint>
#include <optional>
#include <vector>

// Rule, to the picosecond: contexts in ranges.
//
// A work-group of T threads that take c contexts each needs a range of T x c contexts of its core, beginning at a
// multiple of T x c; it takes the lowest that is free. The range is released with the work-group's slot, also where the
// threads' contexts are released one by one (`release: thread`), and after the `recovery`. A core without such a
// range is no candidate; `most_room` counts ranges, too. The engine of a thread does not follow from its context.

namespace gdsim {

/// The taken contexts of one core, if a work-group takes a range of them (ContextAllocation::aligned_ranges): the
/// lowest free one that begins at a multiple of its length.
class ContextRanges {
 public:
  explicit ContextRanges(std::uint32_t contexts) : is_taken_(contexts, 0) {}

  /// Returns the beginning of the lowest free range of `length` contexts, or nullopt if there is none.
  std::optional<std::uint32_t> find(std::uint32_t length) const;
  /// Returns the number of ranges of this length that could be taken one after the other.
  std::uint64_t count(std::uint32_t length) const;
  /// Takes the lowest free range, and returns its beginning. There must be one.
  std::uint32_t take(std::uint32_t length);
  void release(std::uint32_t first, std::uint32_t length);

 private:
  bool is_free(std::uint32_t first, std::uint32_t length) const;

  std::vector<std::uint8_t> is_taken_;  ///< by context: 1 if it is taken
};

}  // namespace gdsim
