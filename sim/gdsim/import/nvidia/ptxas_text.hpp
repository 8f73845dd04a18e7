#pragma once

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/base/read_budget.hpp>
#include <gdsim/import/compiled_kernel.hpp>

namespace gdsim {

/// Returns true if `ptxas -v` wrote some of this, perhaps within the log of a build.
bool is_ptxas_text(const SourceText& text);

/// The kernels that `ptxas -v`, or `nvcc -Xptxas -v`, reports; all other lines are skipped. Throws InputError with the
/// line at fault: a report without registers, or one that is cut off.
CompiledFile read_ptxas_text(const SourceText& text, ReadBudget& budget);

}  // namespace gdsim
