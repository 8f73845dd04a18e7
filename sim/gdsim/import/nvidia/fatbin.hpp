#pragma once

#include <gdsim/base/read_budget.hpp>
#include <gdsim/import/byte_view.hpp>
#include <gdsim/import/compiled_kernel.hpp>

namespace gdsim {

/// The first bytes of NVIDIA's container of machine code for several architectures.
inline constexpr std::string_view kFatbinMagic = "\x50\xed\x55\xba";

/// The kernels of all cubins in one or several containers, one after the other, compressed or not. PTX is noted, and
/// has no registers yet. Throws InputError.
CompiledFile read_fatbins(const ByteView& bytes, ReadBudget& budget);

}  // namespace gdsim
