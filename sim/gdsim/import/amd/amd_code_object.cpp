#include <gdsim/import/amd/amd_code_object.hpp>

#include <gdsim/import/amd/amd_metadata.hpp>
#include <gdsim/import/amd/kernel_descriptors.hpp>
#include <gdsim/import/message_pack.hpp>

#include <array>
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
      const RefuseMetadata refuse = [&](const YamlNode&, const std::string& what) {
        note.content.fail(0, "in the metadata here, " + what);
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

}  // namespace gdsim
