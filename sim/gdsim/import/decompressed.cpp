#include <gdsim/import/decompressed.hpp>

#include <fmt/format.h>

#include <lz4.h>
#include <zstd.h>

namespace gdsim {
namespace {

/// Rejects sizes that no real compressor has produced, before memory is allocated for them.
void require_possible(const ByteView& packed, std::uint64_t size, std::uint64_t max_ratio, ReadBudget& budget) {
  constexpr std::uint64_t slack = 64;
  if (size > (packed.size() + slack) * max_ratio)
    packed.fail(0, fmt::format("{} bytes cannot become {} when decompressed", packed.size(), size));
  budget.charge(ReadCost::unpacked, size);
}

[[noreturn]] void fail_to_decompress(const ByteView& packed, std::uint64_t size) {
  packed.fail(0, fmt::format("this cannot be decompressed to {} bytes", size));
}

}  // namespace

std::string decompress_lz4(const ByteView& block, std::uint64_t size, ReadBudget& budget) {
  constexpr std::uint64_t max_ratio = 255;  // the maximum of the format
  require_possible(block, size, max_ratio, budget);
  std::string bytes(size, '\0');
  const int got =
      LZ4_decompress_safe(block.bytes().data(), bytes.data(), static_cast<int>(block.size()), static_cast<int>(size));
  if (got < 0 || static_cast<std::uint64_t>(got) != size) fail_to_decompress(block, size);
  return bytes;
}

std::string decompress_zstd(const ByteView& frame, std::uint64_t size, ReadBudget& budget) {
  constexpr std::uint64_t max_ratio = 4096;  // far beyond what machine code reaches
  require_possible(frame, size, max_ratio, budget);
  std::string bytes(size, '\0');
  const std::size_t got = ZSTD_decompress(bytes.data(), size, frame.bytes().data(), frame.size());
  if (ZSTD_isError(got) != 0 || got != size) fail_to_decompress(frame, size);
  return bytes;
}

}  // namespace gdsim
