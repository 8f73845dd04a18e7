#include <gdsim/import/nvidia/cubin.hpp>

#include <gdsim/import/decompressed.hpp>
#include <gdsim/import/demangled.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace gdsim {
namespace {

constexpr std::string_view kText = ".text.";
constexpr std::string_view kInfo = ".nv.info.";
constexpr std::string_view kShared = ".nv.shared.";
constexpr std::uint16_t kRelocatable = 1;
constexpr std::uint64_t kReservedShared = 1024;  // of every work-group, from sm_90 on; device models add it themselves
constexpr std::uint32_t kFirstWithReserve = 90;
constexpr std::uint32_t kFirstCounted = 70;  // older instructions have 8 bytes

/// The format of the value of an attribute in `.nv.info`.
enum class InfoFormat : std::uint8_t { none = 1, byte = 2, half = 3, sized = 4 };

enum class InfoName : std::uint8_t {
  max_threads = 0x05,
  required_threads = 0x10,
  frame_size = 0x11,
  min_stack_size = 0x12,
  registers = 0x2f,
  cluster = 0x3d,
  barriers = 0x4c,
};

struct InfoAttribute {
  InfoName name{};
  std::uint16_t value = 0;  ///< of a byte or half
  ByteView content;         ///< of a sized one
};

template <class Take>
void for_each_attribute(const ByteView& info, Take take) {
  for (std::uint64_t at = 0; at < info.size();) {
    InfoAttribute attribute{static_cast<InfoName>(info.u8(at + 1)), info.u16(at + 2), {}};
    const std::uint8_t format = info.u8(at);
    if (format < 1 || format > 4) info.fail(at, fmt::format("an attribute of the unknown format {}", format));
    at += 4;
    if (format == static_cast<std::uint8_t>(InfoFormat::byte)) attribute.value &= 0xff;
    if (format == static_cast<std::uint8_t>(InfoFormat::sized)) {
      attribute.content = info.part(at, attribute.value, "an attribute");
      at += attribute.value;
    }
    take(attribute);
  }
}

std::array<std::uint64_t, 3> extent_in(const ByteView& content) {
  return {content.u32(0), content.u32(4), content.u32(8)};
}

/// One call of read_cubin().
class CubinReader {
 public:
  CubinReader(const ElfFile& elf, ReadBudget& budget) : elf_(elf), budget_(budget) {
    constexpr std::uint8_t later_abi = 8;
    sm_ = elf.abi_version() >= later_abi ? elf.flags() >> 8 & 0xff : elf.flags() & 0xff;
    if (sm_ == 0) elf.file().fail(48, "the flags of this cubin name no architecture");
  }

  CompiledFile read() {
    if (is_to_be_linked())
      return {{},
              {fmt::format("sm_{} is relocatable device code (-rdc=true), whose resource counts are final only after "
                           "linking; name the linked executable or library",
                           sm_)}};
    find_entries();
    read_sections();
    for (const ElfSection& section : elf_.sections())
      if (section.name == ".nv.info") read_common(section);
    for (std::size_t i = 0; i < file_.kernels.size(); ++i) complete(file_.kernels[i], code_info_[i]);
    return std::move(file_);
  }

 private:
  /// Code that the compiler leaves to the linker has shared memory in sections of a type of its own, or none.
  /// Hand-assembled code, as in NVIDIA's libraries, is relocatable, too, and complete.
  bool is_to_be_linked() const {
    if (elf_.type() != kRelocatable) return false;
    return std::none_of(elf_.sections().begin(), elf_.sections().end(), [](const ElfSection& section) {
      return section.name.starts_with(kShared) && (section.type == kElfProgBits || section.type == kElfNoBits);
    });
  }

  /// Up to 8.9, registers are stored beside the code, too; hand-assembled code has them only there.
  void complete(CompiledKernel& kernel, std::uint32_t code_info) const {
    if (kernel.registers) return;
    constexpr std::uint32_t bits = 24;
    const std::uint32_t registers = sm_ < kFirstWithReserve ? code_info >> bits : 0;
    if (registers == 0) elf_.file().fail(0, "no register count (EIATTR_REGCOUNT) for the kernel " + kernel.name);
    kernel.registers = registers;
  }

  /// Finds the symbols of kernels: functions that are called lack their mark (STO_CUDA_ENTRY).
  void find_entries() {
    constexpr std::uint8_t entry = 0x10;
    for (const ElfSection& section : elf_.sections()) {
      if (section.type != kElfSymbolTable) continue;
      const ByteView names = elf_.section_at(section.link, section.content, "the names of symbols").content;
      for (std::uint64_t at = 0; at + kElfSymbolBytes <= section.content.size(); at += kElfSymbolBytes)
        if ((section.content.u8(at + 5) & entry) != 0)
          entries_.insert(names.c_string(section.content.u32(at), "the name of a symbol"));
    }
  }

  void read_sections() {
    for (const ElfSection& section : elf_.sections())
      if (section.name.starts_with(kInfo)) add_kernel(section);
    for (const ElfSection& section : elf_.sections()) {
      if (!section.name.starts_with(kShared)) continue;
      const auto found = by_symbol_.find(section.name.substr(kShared.size()));
      if (found != by_symbol_.end()) file_.kernels[found->second].static_slm = static_slm(section);
    }
  }

  std::uint64_t static_slm(const ElfSection& section) const {
    if (sm_ < kFirstWithReserve) return section.size;
    if (section.size < kReservedShared)
      elf_.file().fail(section.offset, fmt::format("shared memory of {} bytes; from sm_90 on, {} are reserved",
                                                   section.size, kReservedShared));
    return section.size - kReservedShared;
  }

  void add_kernel(const ElfSection& section) {
    const std::string_view symbol = section.name.substr(kInfo.size());
    const ElfSection& code = elf_.section_at(section.info, section.content, "the code of these attributes");
    if (!code.name.starts_with(kText) || !entries_.contains(symbol)) return;
    if (!by_symbol_.emplace(symbol, file_.kernels.size()).second)
      section.content.fail(0, "the attributes of the kernel " + std::string(symbol) + " stand here again");
    // Names of sections may share their characters.
    budget_.keep(sizeof(CompiledKernel) + 2 * symbol.size());
    code_info_.push_back(code.info);
    CompiledKernel& kernel = file_.kernels.emplace_back();
    kernel.symbol = symbol;
    kernel.name = demangled(kernel.symbol);
    kernel.vendor = GpuVendor::nvidia;
    kernel.target = fmt::format("sm_{}", sm_);
    kernel.sub_group = 32;
    // The compiler omits attribute and section for a kernel without barriers; hand-assembled code omits more.
    if (elf_.type() != kRelocatable) kernel.barriers = 0;
    kernel.static_slm = 0;
    if (sm_ >= kFirstCounted)
      kernel.code = std::make_shared<MachineCode>(read_machine_code(code.content, sm_, budget_));
    for_each_attribute(section.content, [&](const InfoAttribute& attribute) {
      if (attribute.name == InfoName::max_threads) {
        kernel.max_group_size = volume_of(extent_in(attribute.content), attribute.content);
      } else if (attribute.name == InfoName::required_threads) {
        kernel.required_group = extent_in(attribute.content);
        static_cast<void>(volume_of(*kernel.required_group, attribute.content));
      } else if (attribute.name == InfoName::cluster) {
        const auto cluster = extent_in(attribute.content);
        if (volume_of(cluster, attribute.content) > 1) kernel.cluster = cluster;
      } else if (attribute.name == InfoName::barriers) {
        kernel.barriers = attribute.value;
      }
    });
  }

  static std::uint64_t volume_of(const std::array<std::uint64_t, 3>& extent, const ByteView& where) {
    constexpr std::uint64_t most = std::uint64_t{1} << 20;
    for (const std::uint64_t size : extent)
      if (size == 0 || size > most) where.fail(0, fmt::format("a size of {}; 1 to {} are possible", size, most));
    return extent[0] * extent[1] * extent[2];
  }

  /// The table that the section names, or the only table if it names none.
  const ElfSection& symbols_of(const ElfSection& section) const {
    const ElfSection* symbols = section.link == 0 ? elf_.find(".symtab") : nullptr;
    if (symbols == nullptr) symbols = &elf_.section_at(section.link, section.content, "the table of symbols");
    if (symbols->type != kElfSymbolTable)
      section.content.fail(0, fmt::format("section {} is no table of symbols", section.link));
    return *symbols;
  }

  /// Reads attributes that name their function by its symbol.
  void read_common(const ElfSection& section) {
    const ElfSection& symbols = symbols_of(section);
    const ByteView names = elf_.section_at(symbols.link, symbols.content, "the names of symbols").content;
    for_each_attribute(section.content, [&](const InfoAttribute& attribute) {
      const bool is_known = attribute.name == InfoName::registers || attribute.name == InfoName::frame_size ||
                            attribute.name == InfoName::min_stack_size;
      if (!is_known) return;
      const std::uint32_t symbol = attribute.content.u32(0);
      const std::uint32_t value = attribute.content.u32(4);
      const auto found =
          by_symbol_.find(names.c_string(symbols.content.u32(symbol * kElfSymbolBytes), "the name of a symbol"));
      if (found == by_symbol_.end()) return;
      CompiledKernel& kernel = file_.kernels[found->second];
      if (attribute.name == InfoName::registers) kernel.registers = value;
      // The stack of a kernel with all its callees, where it is known, is never less than its own frame.
      if (attribute.name == InfoName::frame_size && !kernel.stack) kernel.stack = value;
      if (attribute.name == InfoName::min_stack_size) kernel.stack = value;
    });
  }

  const ElfFile& elf_;
  ReadBudget& budget_;
  std::uint32_t sm_ = 0;
  CompiledFile file_;
  std::vector<std::uint32_t> code_info_;               ///< by kernel: `sh_info` of its code section
  std::set<std::string_view> entries_;                 ///< views of names in the file
  std::map<std::string_view, std::size_t> by_symbol_;  ///< views of names in the file
};

}  // namespace

CompiledFile read_cubin(const ElfFile& elf, ReadBudget& budget) { return CubinReader(elf, budget).read(); }

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

std::optional<std::uint64_t> unified_cache_of(std::string_view family) {
  constexpr std::array<std::pair<std::string_view, std::uint64_t>, 11> kKibibytes{{{"cc-7.0", 128},
                                                                                   {"cc-7.5", 96},
                                                                                   {"cc-8.0", 192},
                                                                                   {"cc-8.6", 128},
                                                                                   {"cc-8.7", 192},
                                                                                   {"cc-8.9", 128},
                                                                                   {"cc-9.0", 256},
                                                                                   {"cc-10.0", 256},
                                                                                   {"cc-10.3", 256},
                                                                                   {"cc-12.0", 128},
                                                                                   {"cc-12.1", 128}}};
  for (const auto& [name, size] : kKibibytes)
    if (name == family) return size * 1024;
  return std::nullopt;
}

}  // namespace gdsim
