#include <gdsim/import/amd/offload_bundle.hpp>

#include <gdsim/import/decompressed.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace gdsim {
namespace {

constexpr std::uint64_t kEntryBytes = 24;  // without the name

/// Reads one bundle that begins where `bytes` does; its offsets count from there.
void read_bundle(const ByteView& bytes, std::vector<BundleEntry>& entries) {
  std::uint64_t at = kBundleMagic.size();
  const std::uint64_t count = bytes.u64(at);
  at += 8;
  if (count > bytes.size() / kEntryBytes)
    bytes.fail(at, fmt::format("{} entries do not fit into a bundle of {} bytes", count, bytes.size()));
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint64_t begin = bytes.u64(at);
    const std::uint64_t size = bytes.u64(at + 8);
    const std::uint64_t name = bytes.u64(at + 16);
    if (name > ByteView::kMaxName) bytes.fail(at + 16, fmt::format("a target's name of {} bytes", name));
    std::string target(bytes.part(at + kEntryBytes, name, "the name of a target").bytes());
    if (size > 0) entries.push_back({std::move(target), bytes.part(begin, size, "an entry of a bundle")});
    at += kEntryBytes + name;
  }
}

/// The position of a compressed bundle, and its uncompressed size.
struct PackedBundle {
  ByteView content;
  std::uint64_t unpacked = 0;
  std::uint64_t end = 0;
};

PackedBundle packed_at(const ByteView& bytes, std::uint64_t at) {
  const std::uint16_t version = bytes.u16(at + 4);
  constexpr std::uint16_t zstd = 1;
  if (version < 1 || version > 3)
    bytes.fail(at + 4, fmt::format("a compressed bundle of version {}; 1 to 3 are read", version));
  if (bytes.u16(at + 6) != zstd)
    bytes.fail(at + 6,
               "this bundle is compressed by zlib, which is not read: write it with a clang that has zstd, or "
               "with --no-offload-compress");
  const std::uint64_t width = version == 3 ? 8 : 4;
  const auto number = [&](std::uint64_t place) { return width == 8 ? bytes.u64(place) : bytes.u32(place); };
  // Version 1 does not give the size of the bundle: it ends with the file.
  const std::uint64_t sizes = at + 8 + (version == 1 ? 0 : width);
  const std::uint64_t length = version == 1 ? bytes.size() - at : number(at + 8);
  const std::uint64_t header = sizes + width + 8 - at;  // a hash comes after the sizes
  if (length < header) bytes.fail(at + 8, fmt::format("a compressed bundle of {} bytes in all", length));
  return {bytes.part(at + header, length - header, "a compressed bundle"), number(sizes), at + length};
}

}  // namespace

std::vector<BundleEntry> read_bundles(const ByteView& bytes) {
  std::vector<BundleEntry> entries;
  const std::string_view all = bytes.bytes();
  for (std::size_t at = all.find(kBundleMagic); at != std::string_view::npos;) {
    const std::size_t next = all.find(kBundleMagic, at + 1);
    read_bundle(bytes.part(at, std::min(next, all.size()) - at, "a bundle"), entries);
    at = next;
  }
  return entries;
}

std::vector<std::string> unpacked_bundles(const ByteView& bytes, ReadBudget& budget) {
  std::vector<std::string> bundles;
  for (std::size_t at = bytes.bytes().find(kPackedBundleMagic); at != std::string_view::npos;) {
    const PackedBundle packed = packed_at(bytes, at);
    bundles.push_back(decompress_zstd(packed.content, packed.unpacked, budget));
    at = bytes.bytes().find(kPackedBundleMagic, packed.end);
  }
  return bundles;
}

}  // namespace gdsim
