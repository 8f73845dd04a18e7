#pragma once

#include <gdsim/base/quantity.hpp>

#include <cstdint>
#include <optional>

namespace gdsim {

/// Accesses of one thread to global memory. Each work-item makes `elements` accesses; in each, neighbouring work-items
/// access elements that are `stride` apart, and the first element begins a line.
struct StridedAccess {
  std::uint64_t elements = 1;
  Bytes element{4};
  std::uint64_t stride = 1;  ///< in elements; 0: all lanes access the same one
};

/// Returns the bytes that memory moves for all accesses of one thread of `lanes` work-items, counted for each access
/// separately: whole lines of `line` bytes. A line shared with the next thread, which accesses the elements that
/// follow, counts in part. Returns nullopt if the result leaves 63 bits, or if the line or an element has no byte.
/// Thread-safe.
///
///     // 32 work-items read 4 bytes each, 16 apart: each a line of 32 bytes for itself.
///     strided_bytes({1, gdsim::Bytes{4}, 16}, 32, gdsim::Bytes{32}) == gdsim::Bytes{1024};
std::optional<Bytes> strided_bytes(const StridedAccess& access, std::uint32_t lanes, Bytes line);

}  // namespace gdsim
