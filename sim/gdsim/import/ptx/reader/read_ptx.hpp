#pragma once

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/import/ptx/reader/ptx_kernel.hpp>

namespace gdsim {

/// Returns true if the text is PTX: `.version` and `.target` come before anything else.
bool is_ptx(const SourceText& source);

/// Reads the entry functions of a PTX text; functions that are called, and variables of the module, are skipped. Throws
/// InputError with line and column of unknown syntax, or if there is no entry function.
///
/// Source: NVIDIA, Parallel Thread Execution ISA, version 9.0, syntax.
PtxModule read_ptx(const SourceText& source);

}  // namespace gdsim
