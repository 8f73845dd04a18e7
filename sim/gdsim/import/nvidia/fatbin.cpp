#include <gdsim/import/nvidia/fatbin.hpp>

#include <gdsim/import/decompressed.hpp>
#include <gdsim/import/nvidia/cubin.hpp>

#include <fmt/format.h>

#include <utility>

namespace gdsim {
namespace {

constexpr std::uint64_t kMinContainerHeader = 16;
constexpr std::uint64_t kMinElementHeader = 64;
constexpr std::uint16_t kPtx = 1;
constexpr std::uint16_t kCubin = 2;
constexpr std::uint16_t kLinkTime = 8;
constexpr std::uint64_t kIsLz4 = 0x2000;
constexpr std::uint64_t kIsZstd = 0x8000;

/// An element of a container: its kind, and its bytes.
struct FatbinElement {
  std::uint16_t kind = 0;
  std::uint32_t sm = 0;
  std::uint64_t flags = 0;
  std::uint64_t unpacked = 0;  ///< bytes when decompressed
  ByteView content;            ///< without the padding after it, if it is compressed
  std::uint64_t end = 0;       ///< the position of the next element
};

FatbinElement element_at(const ByteView& elements, std::uint64_t at) {
  FatbinElement element;
  element.kind = elements.u16(at);
  const std::uint64_t header = elements.u32(at + 4);
  const std::uint64_t size = elements.u64(at + 8);
  if (header < kMinElementHeader)
    elements.fail(at + 4,
                  fmt::format("an element's header of {} bytes; at least {} are needed", header, kMinElementHeader));
  element.sm = elements.u32(at + 28);
  element.flags = elements.u64(at + 40);
  element.unpacked = elements.u64(at + 56);
  const ByteView padded = elements.part(at + header, size, "an element");
  const std::uint64_t packed = elements.u32(at + 16);
  const bool is_packed = (element.flags & (kIsLz4 | kIsZstd)) != 0;
  element.content = is_packed ? padded.part(0, packed, "a compressed element") : padded;
  element.end = at + header + size;
  return element;
}

void add_cubin(const ByteView& bytes, const std::string& origin, ReadBudget& budget, CompiledFile& file) {
  CompiledFile read = read_cubin(ElfFile(bytes, budget), budget);
  for (CompiledKernel& kernel : read.kernels) {
    kernel.origin = origin;
    file.kernels.push_back(std::move(kernel));
  }
  for (const std::string& note : read.notes) file.notes.push_back(origin + ": " + note);
}

/// Notes an element that has no kernels.
void leave_out(std::string why, ReadBudget& budget, CompiledFile& file) {
  budget.keep(sizeof why + why.size());
  file.notes.push_back(std::move(why));
}

void read_element(const FatbinElement& element, std::size_t number, ReadBudget& budget, CompiledFile& file) {
  const std::string origin = fmt::format("element {}", number);
  if (element.kind == kPtx) {
    return leave_out(
        fmt::format("{} is PTX for compute_{}: it has no registers before it is compiled", origin, element.sm), budget,
        file);
  }
  if (element.kind == kLinkTime) {
    return leave_out(
        fmt::format("{} is intermediate code for link-time optimisation, which has no registers yet", origin), budget,
        file);
  }
  if (element.kind != kCubin) {
    return leave_out(fmt::format("{} is of the unknown kind {} and was left out", origin, element.kind), budget, file);
  }
  if ((element.flags & (kIsLz4 | kIsZstd)) == 0) {
    add_cubin(element.content, origin, budget, file);
    return;
  }
  const std::string bytes = (element.flags & kIsLz4) != 0 ? decompress_lz4(element.content, element.unpacked, budget)
                                                          : decompress_zstd(element.content, element.unpacked, budget);
  // Offsets in decompressed data belong to no file.
  const std::string name = fmt::format("{} ({}, decompressed)", element.content.file(), origin);
  add_cubin(ByteView(bytes, name), origin, budget, file);
}

}  // namespace

CompiledFile read_fatbins(const ByteView& bytes, ReadBudget& budget) {
  CompiledFile file;
  std::size_t number = 0;
  for (std::uint64_t at = 0; at < bytes.size();) {
    if (bytes.u8(at) == 0) {  // padding between containers
      ++at;
      continue;
    }
    if (!bytes.bytes().substr(at).starts_with(kFatbinMagic)) bytes.fail(at, "a fatbin container should begin here");
    const std::uint64_t header = bytes.u16(at + 6);
    const std::uint64_t size = bytes.u64(at + 8);
    if (header < kMinContainerHeader)
      bytes.fail(at + 6,
                 fmt::format("a container's header of {} bytes; at least {} are needed", header, kMinContainerHeader));
    const ByteView elements = bytes.part(at + header, size, "a fatbin container");
    for (std::uint64_t begin = 0; begin < elements.size();) {
      const FatbinElement element = element_at(elements, begin);
      read_element(element, ++number, budget, file);
      begin = element.end;
    }
    at += header + size;
  }
  return file;
}

}  // namespace gdsim
