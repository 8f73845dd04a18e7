#pragma once

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/base/read_budget.hpp>
#include <gdsim/import/compiled_kernel.hpp>
#include <gdsim/import/object_files.hpp>

#include <cstdint>
#include <optional>
#include <string_view>

namespace gdsim {

/// The kernels of NVIDIA's machine code for one architecture: registers, stack and barriers of `.nv.info`, static
/// shared memory of `.nv.shared`. Code that is still to be linked (-rdc=true) is noted and left out: its resources are
/// known only with those of its callees. Throws InputError.
///
/// Attributes as written by `ptxas` of CUDA 11 to 13, found by comparing its files with its printed output.
CompiledFile read_cubin(const ElfFile& elf, ReadBudget& budget);

/// The first bytes of NVIDIA's container of machine code for several architectures.
inline constexpr std::string_view kFatbinMagic = "\x50\xed\x55\xba";

/// The kernels of all cubins in one or several containers, one after the other, compressed or not. PTX is noted, and
/// has no registers yet. Throws InputError.
CompiledFile read_fatbins(const ByteView& bytes, ReadBudget& budget);

/// Returns true if `ptxas -v` wrote some of this, perhaps within the log of a build.
bool is_ptxas_text(const SourceText& text);

/// The kernels that `ptxas -v`, or `nvcc -Xptxas -v`, reports; all other lines are skipped. Throws InputError with the
/// line at fault: a report without registers, or one that is cut off.
CompiledFile read_ptxas_text(const SourceText& text, ReadBudget& budget);

/// Returns true if `cuobjdump --dump-resource-usage` wrote this.
bool is_resource_usage_text(const SourceText& text);

/// The kernels of `cuobjdump --dump-resource-usage`. Throws InputError with the line at fault.
CompiledFile read_resource_usage_text(const SourceText& text, ReadBudget& budget);

/// Bytes that L1 and shared memory of a core have together, by compute capability (`cc-8.6`); nothing: not known here.
///
/// Source: CUDA Programming Guide, table `Shared Memory Capacity per Compute Capability` (7.5 on); 7.0: NVIDIA A100
/// white paper, 128 KB on V100.
std::optional<std::uint64_t> unified_cache_of(std::string_view family);

}  // namespace gdsim
