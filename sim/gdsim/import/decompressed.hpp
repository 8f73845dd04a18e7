#pragma once

#include <gdsim/base/read_budget.hpp>
#include <gdsim/import/object_files.hpp>

#include <cstdint>
#include <string>

namespace gdsim {

/// Decompresses an LZ4 block without a frame, for which the budget is charged first. Throws InputError unless it has
/// exactly `size` bytes.
std::string decompress_lz4(const ByteView& block, std::uint64_t size, ReadBudget& budget);

/// Decompresses a zstd frame in the same way.
std::string decompress_zstd(const ByteView& frame, std::uint64_t size, ReadBudget& budget);

}  // namespace gdsim
