#pragma once

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/import/amd/gcn/gcn_kernel.hpp>
#include <gdsim/import/amd/gcn/gcn_profile.hpp>
#include <gdsim/import/imported_scenario.hpp>
#include <gdsim/import/ptx/import_program.hpp>
#include <gdsim/import/ptx/ptx_launch.hpp>

namespace gdsim {

/// Reads the code and the metadata of the kernels of AMDGPU assembly, as `clang -S` and `hipcc --save-temps` write it.
/// Throws InputError with the line at fault, or if a kernel's code or metadata is missing.
GcnModule read_gcn(const SourceText& source);

/// The program of the kernel's waves, from its assembly. Throws InputError with lines and columns of everything that
/// assembly and launch leave open, and the options that resolve it.
/// Not more than `max_instructions` of a work-group are executed.
ImportedProgram import_gcn_program(const GcnKernel& kernel, const PtxLaunch& launch, const ProgramPlace& place,
                                   const SourceText& source, std::uint64_t max_instructions = kMaxGcnExecuted);

}  // namespace gdsim
