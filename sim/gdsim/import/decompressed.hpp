#pragma once

#include <gdsim/import/byte_view.hpp>

#include <cstdint>
#include <string>

namespace gdsim {

/// The maximum size of a decompressed part of a file.
inline constexpr std::uint64_t kMaxDecompressed = std::uint64_t{1} << 28;

/// Decompresses an LZ4 block without a frame. Throws InputError unless it has exactly `size` bytes.
std::string decompress_lz4(const ByteView& block, std::uint64_t size);

/// Decompresses a zstd frame. Throws InputError unless it has exactly `size` bytes.
std::string decompress_zstd(const ByteView& frame, std::uint64_t size);

}  // namespace gdsim
