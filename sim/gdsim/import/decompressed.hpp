#pragma once

#include <gdsim/import/byte_view.hpp>

#include <cstdint>
#include <string>

namespace gdsim {

/// No part of a file becomes larger than this when it is decompressed.
inline constexpr std::uint64_t kMaxDecompressed = std::uint64_t{1} << 28;

/// The bytes of an LZ4 block, without a frame. Throws InputError unless there are exactly `size` of them.
std::string decompress_lz4(const ByteView& block, std::uint64_t size);

/// The bytes of a zstd frame. Throws InputError unless there are exactly `size` of them.
std::string decompress_zstd(const ByteView& frame, std::uint64_t size);

}  // namespace gdsim
