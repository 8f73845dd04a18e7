#include <gdsim/import/amd/kernel_descriptors.hpp>

#include <algorithm>
#include <map>
#include <string>
#include <string_view>

namespace gdsim {
namespace {

constexpr std::uint32_t kDynamicSymbols = 11;
constexpr std::uint64_t kSymbolBytes = 24;
constexpr std::uint64_t kDescriptorBytes = 64;
constexpr std::uint64_t kProgramResource1 = 48;
constexpr std::uint32_t kWgpMode = 29;  // bit
constexpr std::string_view kSuffix = ".kd";

using ModesByKernel = std::map<std::string_view, bool>;

void add_descriptors(const ElfFile& elf, const ElfSection& symbols, ModesByKernel& modes) {
  const ByteView names = elf.at(symbols.link, symbols.content, "the names of symbols").content;
  for (std::uint64_t at = 0; at + kSymbolBytes <= symbols.content.size(); at += kSymbolBytes) {
    const std::string_view name = names.c_string(symbols.content.u32(at), "the name of a symbol");
    const std::uint16_t index = symbols.content.u16(at + 6);
    if (!name.ends_with(kSuffix) || index == 0) continue;
    const ElfSection& section = elf.at(index, symbols.content, "a descriptor's section");
    const std::uint64_t place = symbols.content.u64(at + 8) - section.address;
    const ByteView descriptor = section.content.part(place, kDescriptorBytes, "the descriptor of a kernel");
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

}  // namespace gdsim
