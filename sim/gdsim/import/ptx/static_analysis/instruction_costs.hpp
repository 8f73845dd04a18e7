#pragma once

#include <gdsim/import/ptx/reader/ptx_kernel.hpp>
#include <gdsim/import/ptx/static_analysis/cost_rows.hpp>

#include <array>
#include <string_view>

namespace gdsim {

/// Kinds of instructions in a step, with the devices' names.
inline constexpr std::array<std::string_view, 6> kIssueKinds{"fp32", "fp64", "fp16", "int32", "sfu", "load_store"};

/// The instructions of machine code that an arithmetic instruction becomes for a compute capability, 86 for 8.6: what
/// ptxas of CUDA 13.0 makes of it alone. Divisions, roots and conversions take the path of usual values. An opcode that
/// is not in the table counts as the one most like it: without modifiers, then the first of its name and type; else as
/// one instruction of its type.
KindCounts costs_of(const PtxInstruction& instruction, unsigned capability);

/// Returns true for names of arithmetic instructions of the PTX ISA 9.0.
bool is_arithmetic_name(std::string_view name);

}  // namespace gdsim
