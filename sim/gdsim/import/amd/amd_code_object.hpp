#pragma once

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/base/read_budget.hpp>
#include <gdsim/import/compiled_kernel.hpp>
#include <gdsim/import/metadata_values.hpp>
#include <gdsim/import/object_files.hpp>
#include <gdsim/yaml/yaml_node.hpp>

#include <string>
#include <vector>

namespace gdsim {

/// The kernels of AMD's machine code, from the metadata in its notes, from code object version 3 on. Throws InputError.
std::vector<CompiledKernel> read_amd_code_object(const ElfFile& elf, ReadBudget& budget);

/// Reads the mode of work-groups from the kernel descriptors of a code object, for kernels for gfx10 and later whose
/// metadata does not give it. Throws InputError if a descriptor lies beyond the end.
///
/// LLVM, AMDGPUUsage, kernel descriptor: WGP_MODE is bit 29 of compute_pgm_rsrc1, which is at byte 48 of 64; the
/// descriptor of the kernel `k` is the symbol `k.kd`.
void read_kernel_descriptors(const ElfFile& elf, std::vector<CompiledKernel>& kernels);

/// The kernels of AMD's metadata from code object version 3 on (`amdhsa.kernels`), in either notation.
std::vector<CompiledKernel> read_amd_metadata(const YamlNode& root, const RefuseMetadata& refuse);

inline constexpr std::string_view kBundleMagic = "__CLANG_OFFLOAD_BUNDLE__";
/// The same for compressed bundles.
inline constexpr std::string_view kPackedBundleMagic = "CCOB";

/// One entry of a bundle that clang made.
struct BundleEntry {
  std::string target;  ///< `hipv4-amdgcn-amd-amdhsa--gfx90a`
  ByteView content;
};

/// The entries that are not empty of one bundle, or of several, one after the other. Throws InputError.
std::vector<BundleEntry> read_bundles(const ByteView& bytes);

/// The contents of compressed bundles, one after the other, each of which is a bundle. Throws InputError.
std::vector<std::string> unpacked_bundles(const ByteView& bytes, ReadBudget& budget);

/// Returns true if this is assembly for AMD's GPUs with metadata of its kernels, or that metadata alone.
bool is_amd_assembly(const SourceText& text);

/// The kernels of the metadata between `.amdgpu_metadata` and `.end_amdgpu_metadata`. Throws InputError with the line
/// at fault.
CompiledFile read_amd_assembly(const SourceText& text);

/// Returns true if these are remarks of a compiler for AMD's GPUs, as `-Rpass-analysis=kernel-resource-usage` has hipcc
/// print them.
bool is_resource_remarks(const SourceText& text);

/// The kernels of such remarks, which may be anywhere in the log of a build. They do not say for which target a kernel
/// is compiled, nor how many work-items a wave has. Functions that are no kernels are left out. Throws InputError with
/// the line at fault, also if one kernel is described twice with different numbers, as for two targets.
CompiledFile read_resource_remarks(const SourceText& text, ReadBudget& budget);

}  // namespace gdsim
