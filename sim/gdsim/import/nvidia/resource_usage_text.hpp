#pragma once

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/base/read_budget.hpp>
#include <gdsim/import/compiled_kernel.hpp>

namespace gdsim {

/// Returns true if `cuobjdump --dump-resource-usage` wrote this.
bool is_resource_usage_text(const SourceText& text);

/// The kernels of `cuobjdump --dump-resource-usage`. Throws InputError with the line at fault.
CompiledFile read_resource_usage_text(const SourceText& text, ReadBudget& budget);

}  // namespace gdsim
