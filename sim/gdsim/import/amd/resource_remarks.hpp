#pragma once

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/base/read_budget.hpp>
#include <gdsim/import/compiled_kernel.hpp>

namespace gdsim {

/// Returns true if these are remarks of a compiler for AMD's GPUs, as `-Rpass-analysis=kernel-resource-usage` has hipcc
/// print them.
bool is_resource_remarks(const SourceText& text);

/// The kernels of such remarks, which may be anywhere in the log of a build. They do not say for which target a kernel
/// is compiled, nor how many work-items a wave has. Functions that are no kernels are left out. Throws InputError with
/// the line at fault, also if one kernel is described twice with different numbers, as for two targets.
CompiledFile read_resource_remarks(const SourceText& text, ReadBudget& budget);

}  // namespace gdsim
