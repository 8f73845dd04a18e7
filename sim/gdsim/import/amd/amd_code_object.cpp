#include <gdsim/import/amd/amd_code_object.hpp>

#include <gdsim/import/decompressed.hpp>
#include <gdsim/import/demangled.hpp>
#include <gdsim/import/metadata_values.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <string_view>
#include <utility>

namespace gdsim {
namespace {

constexpr std::uint32_t kMetadata = 32;     // NT_AMDGPU_METADATA, MessagePack
constexpr std::uint32_t kOldMetadata = 10;  // of code object version 2, YAML

/// Machines in the flags of an ELF file (EF_AMDGPU_MACH) that metadata of version 3 does not name; LLVM, AMDGPUUsage.
constexpr std::array<std::pair<std::uint32_t, std::string_view>, 15> kMachines{{{0x02c, "gfx900"},
                                                                                {0x02f, "gfx906"},
                                                                                {0x030, "gfx908"},
                                                                                {0x033, "gfx1010"},
                                                                                {0x036, "gfx1030"},
                                                                                {0x037, "gfx1031"},
                                                                                {0x038, "gfx1032"},
                                                                                {0x03f, "gfx90a"},
                                                                                {0x041, "gfx1100"},
                                                                                {0x046, "gfx1101"},
                                                                                {0x047, "gfx1102"},
                                                                                {0x048, "gfx1200"},
                                                                                {0x04c, "gfx942"},
                                                                                {0x04e, "gfx1201"},
                                                                                {0x04f, "gfx950"}}};

std::string target_in_flags(std::uint32_t flags) {
  for (const auto& [machine, name] : kMachines)
    if ((flags & 0xff) == machine) return std::string(name);
  return {};
}

}  // namespace

std::vector<CompiledKernel> read_amd_code_object(const ElfFile& elf, ReadBudget& budget) {
  for (const ElfSection& section : elf.sections()) {
    if (section.type != kElfNote) continue;
    for (const ElfNote& note : notes_of(section)) {
      if (note.owner == "AMD" && note.type == kOldMetadata)
        note.content.fail(0,
                          "this is a code object of version 2; those from version 3 on are read "
                          "(-mcode-object-version=3)");
      if (note.owner != "AMDGPU" || note.type != kMetadata) continue;
      const RefuseMetadata refuse = [&](const YamlNode&, const std::string& message) {
        note.content.fail(0, "in the metadata here, " + message);
      };
      std::vector<CompiledKernel> kernels = read_amd_metadata(read_message_pack(note.content, budget), refuse);
      for (CompiledKernel& kernel : kernels)
        if (kernel.target.empty()) kernel.target = target_in_flags(elf.flags());
      read_kernel_descriptors(elf, kernels);
      return kernels;
    }
  }
  elf.file().fail(0, "this code object has no note with the metadata of its kernels");
}

namespace {

constexpr std::uint32_t kDynamicSymbols = 11;
constexpr std::uint64_t kDescriptorBytes = 64;
constexpr std::uint64_t kProgramResource1 = 48;
constexpr std::uint32_t kWgpMode = 29;  // bit
constexpr std::string_view kSuffix = ".kd";

using ModesByKernel = std::map<std::string_view, bool>;

void add_descriptors(const ElfFile& elf, const ElfSection& symbols, ModesByKernel& modes) {
  const ByteView names = elf.section_at(symbols.link, symbols.content, "the names of symbols").content;
  for (std::uint64_t at = 0; at + kElfSymbolBytes <= symbols.content.size(); at += kElfSymbolBytes) {
    const std::string_view name = names.c_string(symbols.content.u32(at), "the name of a symbol");
    const std::uint16_t index = symbols.content.u16(at + 6);  // st_shndx
    if (!name.ends_with(kSuffix) || index == 0) continue;
    const ElfSection& section = elf.section_at(index, symbols.content, "a descriptor's section");
    const std::uint64_t offset = symbols.content.u64(at + 8) - section.address;  // st_value
    const ByteView descriptor = section.content.part(offset, kDescriptorBytes, "the descriptor of a kernel");
    modes[name.substr(0, name.size() - kSuffix.size())] = (descriptor.u32(kProgramResource1) >> kWgpMode & 1U) == 1;
  }
}

bool needs_mode(const CompiledKernel& kernel) { return kernel.target.starts_with("gfx1") && !kernel.is_wgp_mode; }

}  // namespace

void read_kernel_descriptors(const ElfFile& elf, std::vector<CompiledKernel>& kernels) {
  if (std::none_of(kernels.begin(), kernels.end(), needs_mode)) return;
  ModesByKernel modes;
  for (const ElfSection& section : elf.sections())
    if (section.type == kElfSymbolTable || section.type == kDynamicSymbols) add_descriptors(elf, section, modes);
  for (CompiledKernel& kernel : kernels) {
    const auto mode = modes.find(kernel.symbol);
    if (needs_mode(kernel) && mode != modes.end()) kernel.is_wgp_mode = mode->second;
  }
}

namespace {

/// `gfx90a:xnack-` for `amdgcn-amd-amdhsa--gfx90a:xnack-`.
std::string target_in(const std::string& triple) {
  const std::size_t begin = triple.rfind("gfx");
  return begin == std::string::npos ? triple : triple.substr(begin);
}

/// Returns true if both kinds of registers come from one file: then `.vgpr_count` is their sum, with its first part
/// aligned.
bool has_unified_registers(std::string_view target) {
  return target.starts_with("gfx90a") || target.starts_with("gfx94") || target.starts_with("gfx95");
}

void read_registers(const MetadataValues& values, const std::string& target, const RefuseMetadata& refuse,
                    CompiledKernel& kernel) {
  const auto all = static_cast<std::uint32_t>(values.require_whole(".vgpr_count", "a kernel"));
  static_cast<void>(values.whole32(".vgpr_count"));  // refuses counts that no register file holds
  const auto accumulation = values.whole32(".agpr_count");
  kernel.registers = all;
  if (!accumulation || *accumulation == 0) return;
  kernel.accumulation_registers = accumulation;
  if (!has_unified_registers(target)) return;
  if (*accumulation > all)
    refuse(values.mapping(), ".agpr_count is more than .vgpr_count, which includes it on " + target);
  kernel.registers = all - *accumulation;
}

CompiledKernel read_amd_kernel(const YamlNode& node, const std::string& target, const RefuseMetadata& refuse) {
  if (!node.is_mapping()) refuse(node, "a kernel is " + describe(node) + "; a mapping is needed");
  const MetadataValues values(node, refuse);
  CompiledKernel kernel;
  kernel.symbol = values.require_text(".name");
  kernel.name = demangled(kernel.symbol);
  kernel.vendor = GpuVendor::amd;
  kernel.target = target;
  read_registers(values, target, refuse, kernel);
  kernel.scalar_registers = values.whole32(".sgpr_count");
  kernel.sub_group = values.whole32(".wavefront_size");
  kernel.static_slm = values.require_whole(".group_segment_fixed_size", "a kernel");
  kernel.stack = values.whole(".private_segment_fixed_size");
  kernel.max_group_size = values.whole32(".max_flat_workgroup_size");
  kernel.required_group = values.extent(".reqd_workgroup_size");
  kernel.spilled_registers = values.whole(".vgpr_spill_count");
  kernel.spilled_scalars = values.whole(".sgpr_spill_count");
  if (const auto mode = values.text(".workgroup_processor_mode")) kernel.is_wgp_mode = *mode == "1" || *mode == "true";
  const auto dynamic = values.text(".uses_dynamic_stack");
  kernel.has_dynamic_stack = dynamic && (*dynamic == "1" || *dynamic == "true");
  return kernel;
}

}  // namespace

std::vector<CompiledKernel> read_amd_metadata(const YamlNode& root, const RefuseMetadata& refuse) {
  if (!root.is_mapping()) refuse(root, "the metadata is " + describe(root) + "; a mapping is needed");
  const std::string target = target_in(MetadataValues(root, refuse).text("amdhsa.target").value_or(""));
  std::vector<CompiledKernel> kernels;
  const YamlNode* list = root.find("amdhsa.kernels");
  if (list == nullptr) return kernels;
  if (!list->is_sequence()) refuse(*list, "amdhsa.kernels is " + describe(*list) + "; a list is needed");
  for (const YamlNode& node : list->items) kernels.push_back(read_amd_kernel(node, target, refuse));
  return kernels;
}

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
  const auto number = [&](std::uint64_t offset) { return width == 8 ? bytes.u64(offset) : bytes.u32(offset); };
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
